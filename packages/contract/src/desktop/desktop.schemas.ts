import { z } from 'zod';
import { Id } from '../fields.ts';
import { separateThousands } from '../separate-thousands.ts';

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

/** A section that a person has made on the own desktop. */
export const DesktopSection = z.object({
  id: z.int(),
  name: z.string(),
  collapsed: z.boolean(),
  /** The ids of its apps, in their order. */
  apps: z.array(z.int()),
});
export type DesktopSection = z.infer<typeof DesktopSection>;

/** A person's own sections, and the version to send along when they are arranged. */
export const ArrangedSections = z.object({ sections: z.array(DesktopSection), version: z.int() });
export type ArrangedSections = z.infer<typeof ArrangedSections>;

/** The ids of the apps in the sections of a person's own desktop. */
export const DesktopSections = ArrangedSections.extend({
  /** In the order in which they were added. */
  favourites: z.array(z.int()),
  /** The newest first. */
  recent: z.array(z.int()),
});
export type DesktopSections = z.infer<typeof DesktopSections>;

export const maximumRecentApps = 6;

export const maximumSections = 20;
export const maximumSectionApps = 200;

/** The titles of the sections that the desktop has without anybody's doing. */
export const builtInSections = ['Favourites', 'Recently used', 'All apps', 'Other apps'] as const;

const SectionDraft = z.strictObject({
  /** Without an id, the section is new. */
  id: Id.optional(),
  name: z
    .string()
    .trim()
    .min(1, 'Section name is required')
    .max(100, 'Enter at most 100 characters.')
    .refine(
      (name) => !builtInSections.some((title) => title.toLowerCase() === name.toLowerCase()),
      'The desktop has a section of this name already.',
    ),
  apps: z.array(Id).max(maximumSectionApps, `A section can have at most ${maximumSectionApps} apps.`),
});

/**
 * All sections of a person, in order. Sections that are missing are deleted. Apps that are not on the person's desktop are ignored, because
 * an owner may have removed them meanwhile.
 */
export const SectionsDraft = z
  .strictObject({
    sections: z.array(SectionDraft).max(maximumSections, `You can have at most ${maximumSections} sections.`),
    /** The version that the arrangement was made from. */
    version: z.int().min(0),
  })
  .superRefine(({ sections }, context) => {
    const names = sections.map(({ name }) => name.toLowerCase());
    for (const [index, name] of names.entries())
      if (names.indexOf(name) !== index)
        context.addIssue({
          code: 'custom',
          path: ['sections', index, 'name'],
          message: 'Another section has this name.',
        });
  })
  .refine(
    ({ sections }) =>
      isUnique(sections.flatMap(({ apps }) => apps)) && isUnique(sections.flatMap(({ id }) => id ?? [])),
    'A section, and an app in a section, can be listed only once.',
  );
export type SectionsDraft = z.input<typeof SectionsDraft>;

function isUnique(ids: readonly number[]): boolean {
  return new Set(ids).size === ids.length;
}

export const CollapsedSection = z.strictObject({ collapsed: z.boolean() });

export const DesktopFavourite = z.strictObject({ favourite: z.boolean() });

/** The maximum number of apps in each of the two groups. */
export const maximumDesktopApps = 5_000;

/** An app in a group: its id, or the listed app itself, of which only the id is used. */
const NamedApp = z.union([Id, z.object({ id: Id }).transform(({ id }) => id)]);

const Group = z
  .array(NamedApp)
  .max(maximumDesktopApps, `A group can have at most ${separateThousands(maximumDesktopApps)} apps.`);

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
