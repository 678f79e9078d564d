import { z } from 'zod';
import { page } from '../paging.ts';

/**
 * The console's own description of a change. The server always writes its own record; this one is stored beside it as a
 * claim.
 */
export const AuditClaim = z.strictObject({
  audit_type: z.string().max(50),
  action: z.string().max(50),
  description: z.string().max(2_000),
  user: z.string().max(254),
  source: z.string().max(100),
  old_data: z.unknown().optional(),
  new_data: z.unknown().optional(),
});
export type AuditClaim = z.input<typeof AuditClaim>;

/** The kind of object that was changed. `claim` marks a description by the console. */
export const AuditObject = z.enum([
  'site',
  'user',
  'group',
  'owner',
  'settings',
  'network',
  'desktop',
  'template',
  'image',
  'profile',
  'claim',
  'other',
]);
export type AuditObject = z.infer<typeof AuditObject>;

/** Who changed what, as the server recorded it. */
export const AuditRecord = z.object({
  id: z.int(),
  object: AuditObject,
  action: z.string(),
  /** As it is stored, for example 'delete user of a group'. */
  description: z.string(),
  /** The change in a sentence, with the names that are stored or that are known in the network. */
  title: z.string(),
  /** An email address, or 'command line'. */
  actor: z.string(),
  ip_address: z.string(),
  created_at: z.iso.datetime(),
});
export type AuditRecord = z.infer<typeof AuditRecord>;

export const AuditPage = page('records', AuditRecord, 'all_records');

/** Whether a change can be reverted, and if not, why. */
export const Revert = z.discriminatedUnion('state', [
  z.object({ state: z.literal('possible') }),
  z.object({ state: z.literal('impossible'), reason: z.string() }),
  /** Fields were changed again since. `changed_by` is empty if the caller may not see it. */
  z.object({
    state: z.literal('changed'),
    fields: z.array(
      z.object({
        field: z.string(),
        label: z.string(),
        changed_by: z.string(),
        changed_at: z.iso.datetime().nullable(),
      }),
    ),
  }),
]);
export type Revert = z.infer<typeof Revert>;

/** A field of a change. Both values are empty texts if there is none; with the format `time` they are moments, which the reader writes. */
export const AuditField = z.object({
  field: z.string(),
  /** What the screen on which it is set calls it. */
  label: z.string(),
  format: z.enum(['text', 'time']),
  before: z.string(),
  after: z.string(),
  differs: z.boolean(),
});
export type AuditField = z.infer<typeof AuditField>;

/** A record with the values before and after the change. */
export const AuditDetails = AuditRecord.extend({
  audit_type: z.string(),
  /** The person, or null if they are no longer in the network. */
  actor_id: z.int().nullable(),
  /** The stored values. */
  old_data: z.unknown(),
  new_data: z.unknown(),
  /** The values in the words of the screens, those that differ first. */
  fields: z.array(AuditField),
  /** Values that the console claimed; empty in the server's own records. */
  claimed_user: z.string(),
  claimed_source: z.string(),
  revert: Revert,
  /** The record of the change that this one has undone. */
  reverts_id: z.int().nullable(),
  /** The entry of a deletion in the trash, while it is there. */
  trash_id: z.int().nullable(),
});
export type AuditDetails = z.infer<typeof AuditDetails>;
