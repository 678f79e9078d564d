import { sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';

type Claim = {
  audit_type: string;
  action: string;
  description: string;
  user: string;
  source: string;
  old_data?: unknown;
  new_data?: unknown;
  network_id: number;
  actor: { id: number; email: string };
  address: string;
};

const claimsAMinute = 60;

/** Who, when and from where are ours to say; what the console says of that is kept as a claim. Whether there was room. */
export const takeClaim = async (db: Queryable, claim: Claim): Promise<boolean> => {
  const { rowCount } = await db.execute(sql`
    insert into audit_records
      (network_id, actor_id, actor, audit_type, action, description, old_data, new_data, ip_address, claimed_user, claimed_source)
    select ${claim.network_id}, ${claim.actor.id}, ${claim.actor.email}, ${claim.audit_type}, ${claim.action},
      ${claim.description}, ${JSON.stringify(claim.old_data ?? null)}::jsonb, ${JSON.stringify(claim.new_data ?? null)}::jsonb,
      ${claim.address}::inet, ${claim.user}, ${claim.source}
    where (select count(*) from audit_records where actor_id = ${claim.actor.id} and claimed_user is not null
      and created_at > now() - interval '1 minute') < ${claimsAMinute}`);
  return rowCount === 1;
};
