import type { Queryable } from '../../database/connect.ts';
import { auditRecords } from '../../database/schema.ts';

export { deleteStaleClaims } from './audit.queries.ts';

/** Who makes a change, and from where. Nobody is a command on the machine itself. */
export type Actor = { actor?: { id: number; email: string }; address?: string };

export type Change = Actor & {
  network_id: number | null;
  action: 'create' | 'update' | 'delete';
  subject: string;
  old_data?: unknown;
  new_data?: unknown;
};

/** Writes down an administrative change; called with the transaction that makes it, so that neither is without the other. */
export const recordAudit = (db: Queryable, change: Change): Promise<void> => recordAudits(db, [change]);

export const recordAudits = async (db: Queryable, changes: readonly Change[]): Promise<void> => {
  if (changes.length === 0) return;
  await db.insert(auditRecords).values(
    changes.map((change) => ({
      network_id: change.network_id,
      actor_id: change.actor?.id ?? null,
      actor: change.actor?.email ?? 'command line',
      audit_type: 'OpenSocial',
      action: change.action,
      description: `${change.action} ${change.subject}`,
      old_data: change.old_data ?? null,
      new_data: change.new_data ?? null,
      ip_address: change.address ?? null,
    })),
  );
};
