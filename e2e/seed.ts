import type { Application } from '../apps/demo/src/provider.ts';
import { oneTimeTokens } from '../apps/server/src/database/schema.ts';
import { findCertificates } from '../apps/server/src/features/networks/networks.queries.ts';
import { createNetwork } from '../apps/server/src/features/networks/networks.service.ts';
import type { Parts } from '../apps/server/src/parts.ts';
import { hashToken } from '../apps/server/src/secrets/tokens.ts';
import { makeGroup, makeSite, makeUser, networkNamed } from '../apps/server/src/testing/builders.ts';
import { demonstration, invitations, people, providerOrigin } from './world.ts';

const icon = (path: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${path}</svg>`;

/** What stands on the desktop of northlab: with an icon, with a picture's place taken by a letter, with hostile names. */
const apps = [
  {
    site_name: 'LIMS Core',
    icon: icon('<path d="M9 3h6M10 9h4M10 3v6l-4 11a.7.7 0 0 0 .5 1h11a.7.7 0 0 0 .5-1L14 9V3"/>'),
    icon_color: '#0f766e',
    icon_background: '#d5eeeb',
  },
  {
    site_name: 'Reports',
    icon: icon('<path d="M4 19h16M4 15l4-6 4 2 4-5 4 4"/>'),
    icon_color: '#7c3aed',
    icon_background: '#ede9fe',
  },
  {
    site_name: 'Microscopy',
    icon: icon(
      '<path d="M5 21h14M6 18h2M7 18v3M9 11l3 3 6-6-3-3zM10.500 12.500L9 14M17 3l3 3M12 21a6 6 0 0 0 3.700-10.700"/>',
    ),
    icon_color: '#1d4ed8',
    icon_background: '#dbeafe',
  },
  { site_name: 'Sample Tracker' },
  { site_name: 'Quality Manual' },
  { site_name: 'Genomics Portal' },
  { site_name: '<script>alert(1)</script>' },
  { site_name: 'A name that is much longer than any tile could ever be wide, and goes on' },
];

/** People, sites and invitations. Answers the applications that the service provider plays. */
export const seed = async (parts: Parts): Promise<Application[]> => {
  const { db } = parts;
  await db.transaction(async (tx) => {
    await createNetwork(tx, parts, 'northlab');
    await createNetwork(tx, parts, 'southlab');
  });
  const north = await networkNamed(db, 'northlab');
  await makeUser(db, { ...people.ana, owns: ['northlab'], alsoIn: ['opensocial'] });
  const ben = await makeUser(db, people.ben);
  await makeUser(db, { ...people.cleo, network: 'southlab' });
  const closed = await makeGroup(db, { name: 'Nobody' });
  await makeGroup(db, { name: 'Readers', users: [ben.id] });
  for (const [index, app] of apps.entries())
    await makeSite(db, { ...app, desktop_position: index + 2, login_url: `${providerOrigin}/` });
  await makeSite(db, { site_name: 'Board Room', desktop_position: 99, groups: [closed.id] });
  await makeSite(db, {
    site_name: 'Demonstration',
    desktop_position: 1,
    domain: new URL(providerOrigin).host,
    identity: `${demonstration}/metadata`,
    acs: `${demonstration}/acs`,
    sls: `${demonstration}/sls`,
    login_url: `${demonstration}/login`,
  });
  for (const { email, token } of invitations) {
    const guest = await makeUser(db, { email, status: 'NonConfirmed', password_hash: null });
    await db.insert(oneTimeTokens).values({
      token_hash: hashToken(token),
      user_id: guest.id,
      network_id: north.id,
      purpose: 'activation',
      expires_at: new Date(Date.now() + 3_600_000),
    });
  }
  return [
    {
      key: 'demonstration',
      name: 'Demonstration',
      network: 'northlab',
      certificates: await findCertificates(db, north.id),
    },
  ];
};
