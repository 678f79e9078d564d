import type { Transaction } from '../../server/src/database/connect.ts';
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
} from '../../server/src/testing/app/builders.ts';
import { insertChanges } from './changes.ts';
import { personOf } from './people.ts';
import type { Application } from './service-provider.ts';
import { groupNames, networkPlans } from './sites.ts';
import { matchLog, seedStates } from './states.ts';

const logLines = 50_000;

/** Seeds the networks on the first start, and returns the applications with the data they need. */
export const seed = async (parts: Parts, serviceProviderOrigin: string): Promise<Application[]> => {
  // In one transaction, so that an interrupted start leaves nothing incomplete.
  if (!(await isSeeded(parts.db, 'northlab')))
    await parts.db.transaction((tx) => seedAll(tx, parts, serviceProviderOrigin));
  const applications: Application[] = [];
  for (const plan of networkPlans) {
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
  return applications;
};

const seedAll = async (tx: Transaction, parts: Parts, serviceProviderOrigin: string): Promise<void> => {
  for (const plan of networkPlans) await seedNetwork(tx, parts, plan, serviceProviderOrigin);
  await seedColleague(tx, parts);
  await insertLogLines(tx, logLines);
  await seedStates(tx);
  await matchLog(tx);
  for (const { name } of networkPlans) await insertChanges(tx, name);
};

/** The owner of northlab is also a member of the other laboratories, and owns the smallest. */
const seedColleague = async (tx: Transaction, parts: Parts): Promise<void> => {
  const { email } = personOf('northlab', 0);
  const colleague = await findAccountByEmail(tx, email);
  if (colleague) await joinNetwork(tx, (await networkNamed(tx, 'southlab')).id, colleague.id);
  await addOwner(tx, parts, await networkNamed(tx, 'genolab'), email, { withMail: false });
};

const seedNetwork = async (
  tx: Transaction,
  parts: Parts,
  { name, users, sites }: (typeof networkPlans)[number],
  serviceProviderOrigin: string,
): Promise<void> => {
  await createNetwork(tx, parts, name);
  const people = Array.from({ length: users }, (_, index) => personOf(name, index));
  const ids = await insertPeople(tx, name, people);
  const groups = new Map<string, number>();
  for (const [index, group] of groupNames.entries()) {
    // The owner, who is the first person, is in every group; the others are in some.
    const members = ids.filter((_, person) => person === 0 || (person * 31 + index * 17) % 11 === 0);
    groups.set(group, (await makeGroup(tx, { network: name, name: group, users: members })).id);
  }
  for (const [position, { key, group, ...site }] of sites.entries()) {
    const home = `${serviceProviderOrigin}/${name}/${key}`;
    const groupId = groups.get(group ?? '');
    await makeSite(tx, {
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
