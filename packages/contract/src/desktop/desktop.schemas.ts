import { z } from 'zod';

/** A tile. `icon` is SVG markup that the server has cleaned; `icon_bg` is a picture. */
export const DesktopApp = z.object({
  id: z.int(),
  name: z.string(),
  icon: z.string(),
  icon_bg: z.string(),
  icon_color: z.string(),
  icon_background: z.string(),
  text_color: z.string(),
  text_background: z.string(),
  login_url: z.string(),
});
export type DesktopApp = z.infer<typeof DesktopApp>;

/** A site that is not on the desktop. */
export const AvailableApp = z.object({ id: z.int(), domain: z.string() });
export type AvailableApp = z.infer<typeof AvailableApp>;
