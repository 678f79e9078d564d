import { type SQL, sql } from 'drizzle-orm';
import type { Config } from '../../config.ts';
import { nested } from '../../database/connect.ts';
import { installation, networks, owners, users } from '../../database/schema.ts';
import { isOwnerOfNetwork, mainNetworkName } from '../../identity/membership.ts';

/** Since when an account is an owner, of the main network or of any, in seconds since 1970; null if it is not. */
export type OwnerSince = { ownsMainSince: number | null; ownsAnySince: number | null };

/** The start of an account's first ownership that is in effect, but never earlier than this rule was installed. */
const ownerSinceSeconds = (where: SQL): SQL<number | null> =>
  sql`(select extract(epoch from greatest(min(${owners.created_at}), (select ${installation.owner_mfa_since} from ${installation})))::float8
    from ${owners} join ${networks} on ${networks.id} = ${owners.network_id}
    where ${owners.email} = ${users.email} and ${where} and ${isOwnerOfNetwork(users.id, owners.network_id)} having count(*) > 0)`;

/** Columns for a query that selects from `users`. */
export const ownerSince = {
  ownsMainSince: nested<number | null>(ownerSinceSeconds(sql`${networks.name} = ${sql.raw(`'${mainNetworkName}'`)}`)),
  ownsAnySince: nested<number | null>(ownerSinceSeconds(sql`true`)),
};

/**
 * When an owner starts to need a second factor to sign in to the console; undefined if the installation does not
 * require one.
 */
export const ownerMfaDue = (
  { scope, graceDays }: Config['ownerMfa'],
  { ownsMainSince, ownsAnySince }: OwnerSince,
): Date | undefined => {
  const begun = { main: ownsMainSince, all: ownsAnySince, off: null }[scope];
  return begun === null ? undefined : new Date((begun + graceDays * 86_400) * 1_000);
};
