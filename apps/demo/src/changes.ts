import type { Queryable } from '../../server/src/database/connect.ts';
import { auditRecords, sites } from '../../server/src/database/schema.ts';
import { networkNamed } from '../../server/src/testing/app/builders.ts';
import { personOf } from './people.ts';

type Change = Pick<typeof auditRecords.$inferInsert, 'action' | 'description' | 'old_data' | 'new_data'>;

/** Typical changes by owners. */
const changesOf = (network: string, apps: readonly number[]): readonly Change[] => [
  {
    action: 'update',
    description: `update site reports.${network}.example`,
    old_data: { site_mode: 'Open', closed_message: '' },
    new_data: { site_mode: 'Closed', closed_message: 'The reports move to a new machine until noon.' },
  },
  {
    action: 'update',
    description: `update site reports.${network}.example`,
    old_data: { site_mode: 'Closed' },
    new_data: { site_mode: 'Open' },
  },
  {
    action: 'create',
    description: `create user ${personOf(network, 7).email}`,
    new_data: { email: personOf(network, 7).email, fullname: 'New colleague', groups: ['Laboratory'] },
  },
  {
    action: 'update',
    description: `update settings of ${network}`,
    old_data: { failed_tries: 10, password_length: 8, mfa: 'Disable' },
    new_data: { failed_tries: 5, password_length: 16, mfa: 'Disable' },
  },
  {
    action: 'update',
    description: `update user ${personOf(network, 12).email}`,
    old_data: { user_mode: 'Active' },
    new_data: { user_mode: 'Disable' },
  },
  {
    action: 'update',
    description: 'update desktop',
    old_data: { desktop_apps: apps.toReversed() },
    new_data: { desktop_apps: apps },
  },
  { action: 'update', description: 'update own password' },
];

/** Inserts the changes of a quarter. */
export const insertChanges = async (db: Queryable, network: string): Promise<void> => {
  const { id } = await networkNamed(db, network);
  const placed = (await db.select().from(sites)).filter(
    (site) => site.network_id === id && site.desktop_position !== null,
  );
  const apps = placed.toSorted((one, other) => (one.desktop_position ?? 0) - (other.desktop_position ?? 0));
  const changes = changesOf(
    network,
    apps.slice(0, 5).map((app) => app.id),
  );
  const hour = 3_600_000;
  await db.insert(auditRecords).values(
    Array.from({ length: 60 }, (_, place) => {
      const change = changes[(place * 3) % changes.length] as Change;
      // Anybody changes their own account; the other changes are the owner's.
      const isSelfService = change.description.includes(' own ');
      return {
        ...change,
        network_id: id,
        actor: personOf(network, isSelfService ? place % 30 : 0).email,
        audit_type: 'OpenSocial',
        ip_address: `10.0.${place % 4}.${20 + (place % 9)}`,
        created_at: new Date(Date.now() - (60 - place) * 34 * hour),
      };
    }),
  );
};
