import { z } from 'zod';

export const FontType = z.enum(['Solid', 'Regular', 'Light', 'Duotone', 'Brands']);
export type FontType = z.infer<typeof FontType>;

/** An icon of the library. Its SVG uses the current text colour and scales to its container. */
export const Icon = z.object({ id: z.int(), name: z.string(), svg: z.string(), font_type: FontType });
export type Icon = z.infer<typeof Icon>;

export const IconCategory = z.object({ name: z.string(), label: z.string() });
export type IconCategory = z.infer<typeof IconCategory>;

/** The licences of the icon sets require this attribution. */
export const iconCredits = [
  {
    title: 'Font Awesome Free',
    url: 'https://fontawesome.com',
    licence: 'CC BY 4.0',
    licenceUrl: 'https://creativecommons.org/licenses/by/4.0/',
  },
  {
    title: 'Phosphor Icons',
    url: 'https://phosphoricons.com',
    licence: 'MIT',
    licenceUrl: 'https://github.com/phosphor-icons/core/blob/main/LICENSE',
  },
] as const;
