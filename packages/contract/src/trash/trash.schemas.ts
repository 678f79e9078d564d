import { z } from 'zod';
import { page } from '../paging.ts';

/** The kind of a deleted object. */
export const TrashKind = z.enum(['site', 'user', 'group', 'image']);
export type TrashKind = z.infer<typeof TrashKind>;

/** A deleted object that can be restored until it expires. */
export const TrashEntry = z.object({
  id: z.int(),
  kind: TrashKind,
  /** The domain of a site, the email address of a user, the name of a group or the title of an image. */
  label: z.string(),
  /** The name of a site or user, the description of a group or the file of an image. */
  detail: z.string(),
  /** An email address, or 'command line'. */
  deleted_by: z.string(),
  deleted_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
});
export type TrashEntry = z.infer<typeof TrashEntry>;

export const TrashPage = page('entries', TrashEntry, 'all_entries');

/** `notes` are sentences about what could not be restored, because it no longer exists or was replaced. */
export const Restored = z.object({ message: z.string(), notes: z.array(z.string()) });
export type Restored = z.infer<typeof Restored>;
