import { sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { auditRecords } from '../../database/schema.ts';
import { belongsElsewhere } from '../../identity/membership.ts';
import type { SubjectKey } from './audit.versions.ts';

export { deleteStaleClaims } from './audit.queries.ts';
export { assertUnchanged, readVersion } from './audit.versions.ts';

/** Who makes a change, and from where: a person, a part of the service by its name, or else a command on the machine itself. */
export type Actor = { actor?: { id: number; email: string }; actorName?: string; address?: string };

export type Change = Actor & {
  network_id: number | null;
  action: 'create' | 'update' | 'delete';
  subject: string;
  /** The record that is changed, where a form edits it: its version is the id of the newest audit record about it. */
  subject_key?: SubjectKey;
  old_data?: unknown;
  new_data?: unknown;
};

/** Writes down an administrative change; called with the transaction that makes it, so that neither is without the other. */
export const recordAudit = (db: Queryable, change: Change): Promise<void> => recordAudits(db, [change]);

type Person = { id: number; email: string; homeNetworkId: number };

/**
 * Writes down what somebody changes of their own account, in their home network. Where they belong to other networks too, that network
 * does not learn from which address they act.
 */
export const recordOwnAudit = async (
  tx: Queryable,
  { id, email, homeNetworkId }: Person,
  address: string,
  change: Pick<Change, 'subject' | 'subject_key' | 'old_data' | 'new_data'>,
): Promise<void> => {
  const { rows } = await tx.execute<{ elsewhere: boolean }>(
    sql`select ${belongsElsewhere(id, homeNetworkId)} as elsewhere`,
  );
  await recordAudit(tx, {
    network_id: homeNetworkId,
    actor: { id, email },
    ...(!rows[0]?.elsewhere && { address }),
    action: 'update',
    ...change,
  });
};

export const recordAudits = async (db: Queryable, changes: readonly Change[]): Promise<void> => {
  if (changes.length === 0) return;
  await db.insert(auditRecords).values(
    changes.map((change) => ({
      network_id: change.network_id,
      actor_id: change.actor?.id ?? null,
      actor: change.actor?.email ?? change.actorName ?? 'command line',
      audit_type: 'OpenSocial',
      action: change.action,
      description: `${change.action} ${change.subject}`,
      old_data: change.old_data ?? null,
      new_data: change.new_data ?? null,
      ip_address: change.address ?? null,
      subject_key: change.subject_key ?? null,
    })),
  );
};
