import { sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { auditRecords } from '../../database/schema.ts';
import { type AuditedActor, nameOfActor } from '../../identity/actor.ts';
import { belongsElsewhere } from '../../identity/membership.ts';
import type { SubjectKey } from './audit.versions.ts';
import type { AuditData, AuditedObject } from './words/audit.fields.ts';

export { deleteStaleClaims } from './audit.queries.ts';
export { assertUnchanged, isDifferent, readVersion } from './audit.versions.ts';
export { withNames } from './words/audit.words.ts';

/** Who makes a change, and from which IP address. */
export type ChangedBy = { actor: AuditedActor; address?: string };

/** A command on the machine itself. */
export const commandLine: ChangedBy = { actor: { kind: 'system', name: 'command line' } };

/** A command on the machine itself that acts on somebody's account. The name tells owners whom to ask. */
export const operator: ChangedBy = { actor: { kind: 'system', name: 'operator' } };

export type Change<Kind extends AuditedObject = AuditedObject> = Kind extends AuditedObject ? ChangeOf<Kind> : never;

type ChangeOf<Kind extends AuditedObject> = ChangedBy & {
  network_id: number | null;
  /** The kind of object, which the database derives from the subject. It decides which fields the data can have. */
  object: Kind;
  /** `view`: nothing was changed, but an owner has looked at something as another person. */
  action: 'create' | 'update' | 'delete' | 'restore' | 'view';
  subject: string;
  /** The changed record, if forms edit it: its version is the id of the newest audit record about it. */
  subject_key?: SubjectKey;
  old_data?: AuditData<Kind> | undefined;
  new_data?: AuditData<Kind> | undefined;
  /** The record of the change that this one undoes. */
  reverts_id?: number;
};

/**
 * Records an administrative change. Call it with the transaction of the change, so that neither exists without the
 * other. Returns the id of the record.
 */
export const recordAudit = async (db: Queryable, change: Change): Promise<number> => {
  const [id] = await recordAudits(db, [change]);
  if (id === undefined) throw new Error('The insert returned no audit record.');
  return id;
};

type Person = { id: number; email: string; homeNetworkId: number };

/**
 * Records a change of a person's own account in the audit log of their home network. If they belong to other networks
 * too, their IP address is left out.
 */
export const recordOwnAudit = async (
  tx: Queryable,
  { id, email, homeNetworkId }: Person,
  address: string,
  change: Pick<Change<'profile'>, 'subject' | 'subject_key' | 'old_data' | 'new_data'>,
): Promise<void> => {
  const { rows } = await tx.execute<{ elsewhere: boolean }>(
    sql`select ${belongsElsewhere(id, homeNetworkId)} as elsewhere`,
  );
  await recordAudit(tx, {
    network_id: homeNetworkId,
    actor: { kind: 'session', user: { id, email } },
    ...(!rows[0]?.elsewhere && { address }),
    action: 'update',
    object: 'profile',
    ...change,
  });
};

export const recordAudits = async (db: Queryable, changes: readonly Change[]): Promise<number[]> => {
  if (changes.length === 0) return [];
  const recorded = await db
    .insert(auditRecords)
    .values(
      changes.map((change) => ({
        network_id: change.network_id,
        actor_id: change.actor.kind === 'system' ? null : change.actor.user.id,
        actor: nameOfActor(change.actor),
        audit_type: 'OpenSocial',
        action: change.action,
        description: `${change.action} ${change.subject}`,
        old_data: change.old_data ?? null,
        new_data: change.new_data ?? null,
        ip_address: change.address ?? null,
        subject_key: change.subject_key ?? null,
        reverts_id: change.reverts_id ?? null,
      })),
    )
    .returning({ id: auditRecords.id, object: auditRecords.object });
  return recorded.map(({ id, object }, index) => {
    if (object !== changes[index]?.object)
      throw new Error(`The audit record is about ${object}, not about ${changes[index]?.object}.`);
    return id;
  });
};
