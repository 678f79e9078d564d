import { z } from 'zod';
import { Id } from '../fields.ts';
import { basedOn, versioned } from '../versions.ts';

const Moment = z.iso.datetime({ offset: true }).nullable();

/** Planned maintenance of a site: it is closed and opened at these times. Null: not planned. */
const window = { closes_at: Moment, opens_at: Moment };

export const SiteMaintenance = z.object({
  ...window,
  /** The group whose members may enter the site while it is closed. */
  testers: z.object({ id: z.int(), name: z.string() }).nullable(),
  ...versioned,
});
export type SiteMaintenance = z.infer<typeof SiteMaintenance>;

export const SiteMaintenanceChanges = z
  .strictObject({ ...window, testers_group_id: Id.nullable(), ...basedOn })
  .superRefine(({ closes_at, opens_at }, context) => {
    if (closes_at !== null && opens_at !== null && Date.parse(opens_at) <= Date.parse(closes_at))
      context.addIssue({ code: 'custom', path: ['opens_at'], message: 'The site has to open after it has closed.' });
  });
export type SiteMaintenanceChanges = z.input<typeof SiteMaintenanceChanges>;
