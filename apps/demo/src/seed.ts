import { findCertificates } from '../../server/src/features/networks/networks.queries.ts';
import { addOwner, createNetwork } from '../../server/src/features/networks/networks.service.ts';
import { findAccountByEmail, joinNetwork } from '../../server/src/features/users/users.service.ts';
import type { Parts } from '../../server/src/parts.ts';
import {
  insertLogLines,
  insertPeople,
  isSeeded,
  makeGroup,
  makeSite,
  networkNamed,
} from '../../server/src/testing/builders.ts';
import { insertChanges } from './changes.ts';
import { personOf } from './people.ts';
import type { Application } from './provider.ts';
import { groupNames, networkPlans } from './sites.ts';

const logLines = 50_000;

/** What the applications have to know of the networks; made on the first start, found again on the next. */
export const seed = async (parts: Parts, providerOrigin: string): Promise<Application[]> => {
  const isNew = !(await isSeeded(parts.db, 'northlab'));
  const applications: Application[] = [];
  for (const plan of networkPlans) {
    if (isNew) await seedNetwork(parts, plan, providerOrigin);
    const certificates = await findCertificates(parts.db, (await networkNamed(parts.db, plan.name)).id);
    applications.push(
      ...plan.sites.map(({ key, site_name }) => ({
        key: `${plan.name}/${key}`,
        name: site_name,
        network: plan.name,
        certificates,
      })),
    );
  }
  if (isNew) {
    await seedColleague(parts);
    await insertLogLines(parts.db, logLines);
    for (const { name } of networkPlans) await insertChanges(parts, name);
  }
  return applications;
};

/** The owner of northlab works with the other laboratories too, and looks after the smallest. */
const seedColleague = (parts: Parts): Promise<void> =>
  parts.db.transaction(async (tx) => {
    const { email } = personOf('northlab', 0);
    const colleague = await findAccountByEmail(tx, email);
    if (colleague) await joinNetwork(tx, (await networkNamed(tx, 'southlab')).id, colleague.id);
    await addOwner(tx, parts, await networkNamed(tx, 'genolab'), email, { withMail: false });
  });

const seedNetwork = async (
  parts: Parts,
  { name, users, sites }: (typeof networkPlans)[number],
  providerOrigin: string,
) => {
  const { db } = parts;
  await db.transaction((tx) => createNetwork(tx, parts, name));
  const people = Array.from({ length: users }, (_, index) => personOf(name, index));
  const ids = await insertPeople(db, name, people);
  const groups = new Map<string, number>();
  for (const [index, group] of groupNames.entries()) {
    // The first person, the owner, is in every group; of the others, some are in some.
    const members = ids.filter((_, person) => person === 0 || (person * 31 + index * 17) % 11 === 0);
    groups.set(group, (await makeGroup(db, { network: name, name: group, users: members })).id);
  }
  for (const [position, { key, group, ...site }] of sites.entries()) {
    const home = `${providerOrigin}/${name}/${key}`;
    const groupId = groups.get(group ?? '');
    await makeSite(db, {
      ...site,
      network: name,
      groups: groupId === undefined ? [] : [groupId],
      desktop_position: position,
      domain: `${key}.${name}.example`,
      identity: `${home}/metadata`,
      acs: `${home}/acs`,
      sls: `${home}/sls`,
      login_url: `${home}/login`,
    });
  }
};
