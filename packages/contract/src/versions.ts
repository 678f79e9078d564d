import { z } from 'zod';
import { ApiError } from './errors.ts';

/**
 * Optimistic concurrency control, the same for every record that a form edits. A record is answered with its version, the id of the newest
 * audit record about it. A save may name the version it is based on: if somebody has changed one of the saved fields since then, the save
 * is refused with 409 and a `Conflict`. A save that names none overwrites whatever is there.
 */
export const Version = z.int().min(0);

/** The part of an answer that says which version of the record it is. */
export const versioned = { version: Version };

/**
 * The part of a body that says which version of the record was edited. The `version` of an answer may be sent along with the rest of it and
 * means nothing: a script that reads a record once and saves it several times is not refused for its own changes.
 */
export const basedOn = { based_on: Version.optional(), version: Version.optional() };

/** What somebody else changed since the version that a save was based on. */
export const Conflict = z.object({
  /** The email address of the last person who changed it; empty if the caller may not know it. */
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

/** The conflict that an error of the client tells about, if it is one. */
export const conflictOf = (error: unknown): Conflict | undefined => {
  if (!(error instanceof ApiError) || error.code !== 'changed_meanwhile') return undefined;
  return z.object({ conflict: Conflict }).safeParse(error.cause).data?.conflict;
};
