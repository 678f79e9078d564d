import { z } from 'zod';
import { page } from '../paging.ts';

/** What a console says of a change. The server has written its own record of it; this is kept beside it, as a claim. */
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

/** What a change was made to. A claim is what a console said of one. */
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

/** Who changed what, as the server saw it. */
export const AuditRecord = z.object({
  id: z.int(),
  object: AuditObject,
  action: z.string(),
  description: z.string(),
  /** An email address, or 'command line'. */
  actor: z.string(),
  ip_address: z.string(),
  created_at: z.iso.datetime(),
});
export type AuditRecord = z.infer<typeof AuditRecord>;

export const AuditPage = page('records', AuditRecord, 'all_records');

/** A record with what was there before and after. */
export const AuditDetails = AuditRecord.extend({
  audit_type: z.string(),
  /** The person, while they are in the network. */
  actor_id: z.int().nullable(),
  old_data: z.unknown(),
  new_data: z.unknown(),
  /** What the ids in them are called, by the fields' names. */
  names: z.record(z.string(), z.string()),
  /** What a console said of itself; empty in the server's own records. */
  claimed_user: z.string(),
  claimed_source: z.string(),
});
export type AuditDetails = z.infer<typeof AuditDetails>;
