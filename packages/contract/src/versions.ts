import { z } from 'zod';
import { ApiError } from './errors.ts';

/**
 * Optimistic concurrency control for every record that a form edits. An answer contains the version of the record,
 * which is the id of the newest audit record about it. A save may name the version it is based on: if somebody else has
 * changed one of the saved fields since then, it is refused with 409 and a `Conflict`. A save without a version
 * overwrites newer changes.
 */
export const Version = z.int().min(0);

/** The field of an answer that contains the version of the record. */
export const versioned = { version: Version };

/**
 * The field of a body that names the version that was edited. Clients may also send the `version` of an answer back; it
 * is ignored, so that a script that reads a record once and saves it several times is not refused because of its own
 * changes.
 */
export const basedOn = { based_on: Version.optional(), version: Version.optional() };

/** The changes by somebody else since the version that a save was based on. */
export const Conflict = z.object({
  /** The email address of the last person who changed the record; empty if the caller may not see it. */
  changed_by: z.string(),
  changed_at: z.iso.datetime(),
  /** The fields that the save would have overwritten. */
  fields: z.array(z.string()),
});
export type Conflict = z.infer<typeof Conflict>;

export class ConflictError extends ApiError {
  readonly conflict: Conflict;

  constructor(conflict: Conflict) {
    super('changed_meanwhile');
    this.conflict = conflict;
  }
}

/** Returns the conflict that an error of the client contains, if any. */
export const conflictOf = (error: unknown): Conflict | undefined => {
  if (!(error instanceof ApiError) || error.code !== 'changed_meanwhile') return undefined;
  return z.object({ conflict: Conflict }).safeParse(error.cause).data?.conflict;
};
