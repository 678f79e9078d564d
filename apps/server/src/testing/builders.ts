import { eq } from 'drizzle-orm';
import type { Queryable } from '../database/connect.ts';
import { groupSites, groups, groupUsers, memberships, networks, owners, sites, users } from '../database/schema.ts';
import { insertSession } from '../features/session/session.queries.ts';
import { hashPassword } from '../secrets/passwords.ts';
import { newUid } from '../secrets/tokens.ts';
import type { Browser } from './browser.ts';

export const password = 'correct horse battery staple';
const passwordHash = hashPassword(password);

export const networkNamed = async (db: Queryable, name: string) => {
  const [network] = await db.select().from(networks).where(eq(networks.name, name));
  if (!network) throw new Error(`There is no network ${name}.`);
  return network;
};

type UserDraft = Partial<typeof users.$inferInsert> & { network?: string; owns?: string[]; alsoIn?: string[] };

/** A confirmed member of northlab, unless the draft says otherwise. */
export const makeUser = async (
  db: Queryable,
  { network = 'northlab', owns = [], alsoIn = [], ...draft }: UserDraft = {},
) => {
  const home = await networkNamed(db, network);
  const uid = newUid();
  const [user] = await db
    .insert(users)
    .values({
      uid,
      email: `${uid}@northlab.org`,
      firstname: 'Ana',
      lastname: 'Moreno',
      status: 'Confirmed',
      password_hash: await passwordHash,
      home_network_id: home.id,
      default_network_id: home.id,
      ...draft,
    })
    .returning();
  if (!user) throw new Error('No user was made.');
  for (const name of new Set([network, ...alsoIn, ...owns])) {
    await db.insert(memberships).values({ network_id: (await networkNamed(db, name)).id, user_id: user.id });
  }
  for (const name of owns)
    await db.insert(owners).values({ network_id: (await networkNamed(db, name)).id, email: user.email });
  return user;
};

type SiteDraft = Partial<typeof sites.$inferInsert> & { network?: string; groups?: number[] };

/** A site on the desktop of northlab, unless the draft says otherwise. */
export const makeSite = async (
  db: Queryable,
  { network = 'northlab', groups: groupIds = [], ...draft }: SiteDraft = {},
) => {
  const { id: networkId } = await networkNamed(db, network);
  const domain = `${newUid()}.northlab.org`;
  const [site] = await db
    .insert(sites)
    .values({
      network_id: networkId,
      identity: `https://${domain}/metadata`,
      acs: `https://${domain}/acs`,
      sls: `https://${domain}/sls`,
      domain,
      site_name: 'Reports',
      desktop_position: 1,
      ...draft,
    })
    .returning();
  if (!site) throw new Error('No site was made.');
  for (const group of groupIds) await db.insert(groupSites).values({ group_id: group, site_id: site.id });
  return site;
};

export const makeGroup = async (db: Queryable, draft: { network?: string; name?: string; users?: number[] } = {}) => {
  const { id: networkId } = await networkNamed(db, draft.network ?? 'northlab');
  const [group] = await db
    .insert(groups)
    .values({ network_id: networkId, name: draft.name ?? newUid(), description: 'People who read reports' })
    .returning();
  if (!group) throw new Error('No group was made.');
  for (const user of draft.users ?? []) await db.insert(groupUsers).values({ group_id: group.id, user_id: user });
  return group;
};

/** Puts a user's session into a browser, for tests that are not about signing in. */
export const signInto = async (db: Queryable, browser: Browser, user: typeof users.$inferSelect): Promise<Browser> => {
  const token = await insertSession(db, {
    user_id: user.id,
    session_index: `_${newUid()}`,
    name_id: user.email,
    selected_network_id: user.default_network_id,
    login_from: 'OpenSocial',
    authenticated_at: new Date(),
  });
  browser.cookies.set('session', token);
  return browser;
};
