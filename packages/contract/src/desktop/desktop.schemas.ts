import { z } from 'zod';
import { Id } from '../fields.ts';

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
  /** Pixels. */
  icon_width: z.int(),
  login_url: z.string(),
});
export type DesktopApp = z.infer<typeof DesktopApp>;

/** The same as its administrators see it, on the desktop or not: by its domain too. */
export const ConfiguredApp = DesktopApp.extend({ domain: z.string() });
export type ConfiguredApp = z.infer<typeof ConfiguredApp>;

/** How many apps each of the two groups may hold. */
export const mostApps = 5_000;

/** An app of a group: its id, or the app itself as it was listed, of which only the id counts. */
const NamedApp = z.union([Id, z.object({ id: Id }).transform(({ id }) => id)]);

const Group = z.array(NamedApp).max(mostApps, `A group holds at most ${mostApps.toLocaleString('en')} apps.`);

/**
 * The two groups: what is on the desktop, in its order, and what is not. A site in neither stays where it is: it may have
 * been added since. `version` is the one that the groups were made from; without it, they replace whatever is there.
 */
export const DesktopGroups = z
  .strictObject({
    available_apps: Group,
    desktop_apps: Group,
    version: z.int().min(0).optional(),
  })
  .refine(
    ({ available_apps, desktop_apps }) =>
      new Set([...available_apps, ...desktop_apps]).size === available_apps.length + desktop_apps.length,
    'An app is in one of the groups, once.',
  );
