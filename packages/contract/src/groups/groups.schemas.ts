import { z } from 'zod';
import { Id } from '../fields.ts';
import { page } from '../paging.ts';
import { basedOn, versioned } from '../versions.ts';

/** `sso_server` is the id of its network. */
export const Group = z.object({ id: z.int(), name: z.string(), description: z.string(), sso_server: z.int() });
export type Group = z.infer<typeof Group>;

/** A group with its version, for the edit form. */
export const EditedGroup = Group.extend(versioned);
export type EditedGroup = z.infer<typeof EditedGroup>;

export const GroupPage = page('groups', Group, 'all_groups');

/** The members of a group are counted up to this number, because a group may have a million. */
export const maximumGroupCount = 1_000;

/** A row of the groups list. A count above `maximumGroupCount` means that there are more. */
export const GroupRow = Group.extend({ user_count: z.int(), site_count: z.int() });
export type GroupRow = z.infer<typeof GroupRow>;

const words = {
  name: z.string().trim().min(1, 'Group name is required').max(100),
  description: z.string().trim().min(1, 'Description text is required').max(500),
};

/** `id` has no meaning for a new group, but clients may send it. */
export const GroupDraft = z.strictObject({
  ...words,
  sso_server: Id,
  id: z.union([z.literal(''), z.number(), z.null()]).optional(),
});
export type GroupDraft = z.input<typeof GroupDraft>;

/** Clients may send the network, sites and users of a group along, but other calls change them. */
export const GroupChanges = z.strictObject({
  ...words,
  id: Id,
  sso_server: Id,
  ...basedOn,
  sites: z
    .array(z.object({ id: Id }))
    .max(5_000)
    .optional(),
  users: z
    .array(z.object({ id: Id }))
    .max(5_000)
    .optional(),
});
export type GroupChanges = z.input<typeof GroupChanges>;

/** A user who is in a group or could be added. */
export const GroupUser = z.object({
  id: z.int(),
  user_id: z.int(),
  user_full_name: z.string(),
  user_email: z.string(),
});
export type GroupUser = z.infer<typeof GroupUser>;

/** A site of a group; `gid` is the id of the group. */
export const GroupSite = z.object({
  id: z.int(),
  subscriber_id: z.int(),
  subscriber_url: z.string(),
  site_name: z.string(),
  gid: z.int(),
});
export type GroupSite = z.infer<typeof GroupSite>;

export const AssignableSite = z.object({ id: z.int(), domain: z.string(), site_name: z.string() });
export type AssignableSite = z.infer<typeof AssignableSite>;

const changedPairs = z
  .array(z.strictObject({ group_id: Id, site_id: Id }))
  .max(1_000)
  .optional();
const changedIds = z.array(Id).max(1_000).optional();

/** A change of the groups of sites that is not made yet: assignments, removals, and groups that are deleted or restored from the trash. */
export const EntryChangeDraft = z.strictObject({
  assigned: changedPairs,
  unassigned: changedPairs,
  deleted: changedIds,
  /** Ids of entries in the trash. Entries that are not groups have no effect. */
  restored: changedIds,
});
export type EntryChangeDraft = z.input<typeof EntryChangeDraft>;

/** What a change of groups means for people who want to enter a site. */
export const EntryChange = z.object({
  /** The number of sites that get their first group or lose their last one. */
  total: z.int(),
  /** The first of them. */
  sites: z.array(
    z.object({
      id: z.int(),
      site_name: z.string(),
      domain: z.string(),
      /** `opened`: everybody in the network may enter. `restricted`: only members of the groups may. */
      effect: z.enum(['opened', 'restricted']),
      /** How many active members of the network gain or lose entry. */
      people: z.int(),
    }),
  ),
});
export type EntryChange = z.infer<typeof EntryChange>;
