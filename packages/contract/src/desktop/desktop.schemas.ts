import { z } from 'zod';
import { Id } from '../fields.ts';

/** A tile. `icon` is sanitized SVG markup; `icon_bg` is a picture. */
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
  /** Whether the site is closed, and when it is planned to close and to open again. */
  is_closed: z.boolean(),
  closes_at: z.iso.datetime().nullable(),
  opens_at: z.iso.datetime().nullable(),
  /** Whether the tile says that the server cannot reach the site. */
  is_unreachable: z.boolean(),
});
export type DesktopApp = z.infer<typeof DesktopApp>;

/** An app as administrators see it, with its domain. */
export const ConfiguredApp = DesktopApp.extend({ domain: z.string() });
export type ConfiguredApp = z.infer<typeof ConfiguredApp>;

/** A tile of another person's desktop. It is not a link, so it has no address. */
export const ViewedApp = DesktopApp.omit({ login_url: true }).extend({
  /** Why the person may not enter the site. */
  refusal: z.string().nullable(),
});
export type ViewedApp = z.infer<typeof ViewedApp>;

/** The desktop of a network as one of its members sees it. */
export const ViewedDesktop = z.object({
  user: z.object({ id: z.int(), fullname: z.string(), email: z.string() }),
  /** Why the person cannot open the desktop. Then it has no apps. */
  refusal: z.string().nullable(),
  apps: z.array(ViewedApp),
});
export type ViewedDesktop = z.infer<typeof ViewedDesktop>;

/** The ids of the apps in the sections of a person's own desktop. */
export const DesktopSections = z.object({
  /** In the order in which they were added. */
  favourites: z.array(z.int()),
  /** The newest first. */
  recent: z.array(z.int()),
});
export type DesktopSections = z.infer<typeof DesktopSections>;

export const maximumRecentApps = 6;

export const DesktopFavourite = z.strictObject({ favourite: z.boolean() });

/** The maximum number of apps in each of the two groups. */
export const maximumDesktopApps = 5_000;

/** An app in a group: its id, or the listed app itself, of which only the id is used. */
const NamedApp = z.union([Id, z.object({ id: Id }).transform(({ id }) => id)]);

const Group = z
  .array(NamedApp)
  .max(maximumDesktopApps, `A group can have at most ${maximumDesktopApps.toLocaleString('en')} apps.`);

/**
 * The sites that are on the desktop, in order, and the sites that are not. A site in neither group keeps its place,
 * because it may have been added meanwhile. `version` is the version that the groups were made from; without it, the
 * save overwrites newer changes.
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
    'An app can be listed only once, in one of the groups.',
  );
