import type { OidcParameters } from '@opensocial/contract';
import type { Application } from '../../apps/demo/src/service-provider.ts';
import {
  consoleSessions,
  emailTemplates,
  loginLog,
  memberships,
  networkSettings,
  networks,
  oidcSecrets,
  oneTimeTokens,
  owners,
  sites,
  siteVisits,
  socialIdentities,
} from '../../apps/server/src/database/schema.ts';
import { findCertificates, updateNetworkMode } from '../../apps/server/src/features/networks/networks.queries.ts';
import { createNetwork } from '../../apps/server/src/features/networks/networks.service.ts';
import { updateSettings } from '../../apps/server/src/features/settings/settings.queries.ts';
import type { Parts } from '../../apps/server/src/parts.ts';
import { hashToken } from '../../apps/server/src/secrets/tokens.ts';
import {
  makeGroup,
  makeSite,
  makeUser,
  networkNamed,
  oidcParameters,
} from '../../apps/server/src/testing/app/builders.ts';
import {
  authenticatorSecret,
  browserClientId,
  browserClientOrigins,
  demonstration,
  expiredLinks,
  invitations,
  logoutClients,
  logoutNetwork,
  logoutSites,
  longName,
  mailboxOrigin,
  manyNetworks,
  notebook,
  notebookSecret,
  openSessions,
  otherLineCount,
  otherSiteOrigin,
  people,
  plantedSecret,
  type SocialName,
  serviceProviderOrigin,
  socialNames,
  socialUser,
  unreachableUrl,
  unvisitedSiteCount,
} from './world.ts';

type SocialKeys = Partial<Record<SocialName, { id: string; secret: string }>>;

const icon = (path: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${path}</svg>`;

/** The desktop of northlab: with an icon, with a letter instead of a picture, with hostile names. */
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

/** Networks that are only listed: nobody signs in through them. */
const joinMany = async (db: Parts['db'], userId: number): Promise<void> => {
  const names = Array.from({ length: manyNetworks }, (_, place) => `lab-${String(place).padStart(4, '0')}`);
  const made = await db
    .insert(networks)
    .values([longName, ...names.slice(1)].map((name) => ({ name, sso_id: name })))
    .returning({ id: networks.id });
  await db.insert(memberships).values(made.map(({ id }) => ({ network_id: id, user_id: userId })));
};

const eastern = [
  { domain: 'plain-1.eastlab.org' },
  { domain: 'plain-2.eastlab.org', status: 'Disable' },
  { domain: 'plain-3.eastlab.org', site_mode: 'Closed' },
  { domain: 'plain-4.eastlab.org', status: 'Disable', site_mode: 'Closed' },
  ...[
    'mode-1',
    'mode-2',
    'doomed-1',
    'doomed-2',
    'doomed-3',
    'edited',
    'detailed',
    'looking',
    'grouped',
    'halted-1',
    'halted-2',
    'halted-3',
    'failing',
    'mapped',
  ].map((name) => ({ domain: `${name}.eastlab.org` })),
] as const;

const easterners = [
  { email: 'abe@listed.org', firstname: 'Abe', lastname: 'Listed' },
  { email: 'bo@listed.org', firstname: 'Bo', lastname: 'Listed', user_mode: 'Disable' },
  { email: 'cy@listed.org', firstname: 'Cy', lastname: 'Listed', status: 'NonConfirmed' },
  { email: 'one@bulk.org', firstname: 'One', lastname: 'Bulk' },
  { email: 'two@bulk.org', firstname: 'Two', lastname: 'Bulk' },
  { email: 'leaver@eastlab.org', firstname: 'Lea', lastname: 'Ver' },
  { email: 'panelled@eastlab.org', firstname: 'Pan', lastname: 'Elled' },
  { email: 'joiner@eastlab.org', firstname: 'Joy', lastname: 'Ner' },
  { email: 'helped@eastlab.org', firstname: 'Hel', lastname: 'Ped' },
  { email: 'member@eastlab.org', firstname: 'Mem', lastname: 'Ber' },
  { email: 'one@stubborn.org', firstname: 'One', lastname: 'Stubborn' },
  { email: 'two@stubborn.org', firstname: 'Two', lastname: 'Stubborn' },
] as const;

/** A network to be changed: each test has its own sites and users, recognised by their names. */
const seedEast = async ({ db }: Parts) => {
  const network = 'eastlab';
  const { id } = await networkNamed(db, network);
  const gil = await makeUser(db, { ...people.gil, network, owns: [network] });
  await makeUser(db, { ...people.hana, network });
  for (const person of easterners) await makeUser(db, { ...person, network });
  for (const [email, firstname, lastname] of [
    ['di@listed.org', 'Di', 'Listed'],
    ['guest@bulk.org', 'Guest', 'Bulk'],
  ] as const)
    await makeUser(db, { email, firstname, lastname, network: 'southlab', alsoIn: [network] });
  for (const site of eastern) {
    const { domain } = site;
    const made = await makeSite(db, {
      ...site,
      network,
      site_name: domain,
      identity: `https://${domain}/metadata`,
      desktop_position: null,
    });
    if (!domain.startsWith('looking')) continue;
    const line = { network_id: id, site_id: made.id, site: domain, email: gil.email, ip_address: '10.0.0.7' };
    await db.insert(loginLog).values([
      { ...line, login_status: 'Success', reason: 'password' },
      { ...line, login_status: 'Failed', reason: 'wrong password' },
    ]);
  }
  await makeGroup(db, { network, name: 'Easterners', users: [gil.id] });
  await makeGroup(db, { network, name: 'Westerners' });
  await makeGroup(db, { network, name: 'Members' });
  await makeGroup(db, { network, name: 'Newcomers' });
  return { id, gil };
};

/** Sites for scrolling tests. */
const seedUnvisitedSites = (db: Parts['db'], networkId: number) => {
  const domains = Array.from(
    { length: unvisitedSiteCount },
    (_, place) => `far-${String(place).padStart(3, '0')}.westlab.org`,
  );
  return db.insert(sites).values(
    domains.map((domain) => ({
      network_id: networkId,
      domain,
      site_name: domain,
      identity: `https://${domain}/metadata`,
      acs: `https://${domain}/acs`,
      sls: `https://${domain}/sls`,
    })),
  );
};

/** A network in Visited mode, with more sites than a list loads at once. */
const seedWest = async ({ db }: Parts, gil: { id: number; email: string }): Promise<void> => {
  const network = 'westlab';
  const { id } = await networkNamed(db, network);
  await updateNetworkMode(db, id, 'Visited');
  const ida = await makeUser(db, { ...people.ida, network, owns: [network] });
  await db.insert(memberships).values({ network_id: id, user_id: gil.id });
  await db.insert(owners).values({ network_id: id, email: gil.email });
  await seedUnvisitedSites(db, id);
  for (const domain of ['seen-1.westlab.org', 'seen-2.westlab.org']) {
    const site = await makeSite(db, { network, domain, site_name: domain });
    await db.insert(siteVisits).values([gil, ida].map((user) => ({ user_id: user.id, site_id: site.id })));
  }
};

/** Secrets that no answer may contain. */
const plantSecrets = async ({ db, vault }: Parts): Promise<void> => {
  const secretOf = (provider: string) => vault.encrypt(`${plantedSecret}-${provider}`);
  await db.update(networkSettings).set({
    linkedin_secret: secretOf('linkedin'),
    facebook_secret: secretOf('facebook'),
    google_secret: secretOf('google'),
    twitter_secret: secretOf('twitter'),
    github_secret: secretOf('github'),
  });
};

/** A network whose settings are changed. */
const seedRules = async ({ db }: Parts): Promise<number> => {
  const network = 'rulelab';
  await makeUser(db, { ...people.rhea, network, owns: [network] });
  const yearAgo = new Date(Date.now() - 365 * 86_400_000);
  await makeUser(db, {
    ...people.seb,
    network,
    created_at: yearAgo,
    last_login_at: yearAgo,
    password_changed_at: yearAgo,
  });
  await makeSite(db, {
    network,
    site_name: 'Rule Book',
    domain: 'rules.rulelab.org',
    identity: `${demonstration}-rules/metadata`,
    acs: `${demonstration}-rules/acs`,
    sls: `${demonstration}-rules/sls`,
  });
  return (await networkNamed(db, network)).id;
};

/**
 * Networks whose desktops are arranged: one with more apps than a window shows, one for tiles, one with each kind of
 * site.
 */
const seedDesks = async ({ db }: Parts): Promise<void> => {
  const site = (network: string, name: string, draft: Parameters<typeof makeSite>[1] = {}) => {
    const domain = `${name}.${network}.org`;
    const identity = `https://${domain}/metadata`;
    return makeSite(db, { network, domain, identity, site_name: name, login_url: `https://${domain}/`, ...draft });
  };
  await makeUser(db, { ...people.jon, network: 'dragdesk', owns: ['dragdesk'] });
  const many = Array.from({ length: 60 }, (_, place) => `many-${String(place).padStart(2, '0')}`);
  for (const name of ['alpha', 'beta', 'gamma', 'delta', ...many])
    await site('dragdesk', name, { desktop_position: null });

  await makeUser(db, { ...people.kim, network: 'tiledesk', owns: ['tiledesk'] });
  await site('tiledesk', 'notes', { desktop_position: 1 });
  await site('tiledesk', 'plain', { desktop_position: 2, login_url: null });
  await site('tiledesk', 'spare', { desktop_position: null });

  const network = 'modedesk';
  await makeUser(db, { ...people.lou, network, owns: [network] });
  const max = await makeUser(db, { ...people.max, network });
  const own = await makeGroup(db, { network, name: 'Own', users: [max.id] });
  const other = await makeGroup(db, { network, name: 'Other' });
  for (const [name, groups, isVisited] of [
    ['own-visited', [own.id], true],
    ['own-new', [own.id], false],
    ['other-visited', [other.id], true],
    ['other-new', [other.id], false],
    ['free-visited', [], true],
    ['free-new', [], false],
  ] as const) {
    const made = await site(network, name, { groups: [...groups] });
    if (isVisited) await db.insert(siteVisits).values({ user_id: max.id, site_id: made.id });
  }
};

/** A network with old text for one of its mails. */
const seedMail = async ({ db }: Parts): Promise<void> => {
  const network = 'maillab';
  const { id } = await networkNamed(db, network);
  await makeUser(db, { ...people.mia, network, owns: [network] });
  const html = '<p>Old words for {user_name}</p><script>alert(1)</script>';
  await db.insert(emailTemplates).values({ network_id: id, kind: 'resend', html });
  // As it may have been stored before tokens were refused in links.
  const refused = '<a href="{signup_from}/saml/maillab/sso?RelayState={token}">Go</a>';
  await db.insert(emailTemplates).values({ network_id: id, kind: 'ex_user_invitation', html: refused });
};

/** A network for reading the log: two lines of Oli, and before them those of a crowd. */
const seedLog = async ({ db }: Parts): Promise<void> => {
  const network = 'loglab';
  const { id } = await networkNamed(db, network);
  await makeUser(db, { ...people.nia, network, owns: [network] });
  const oli = await makeUser(db, { ...people.oli, network });
  const site = (name: string) => {
    const domain = `${name}.loglab.org`;
    return makeSite(db, { network, domain, site_name: domain, identity: `https://${domain}/metadata` });
  };
  await site('gate');
  const [crowded, quiet] = [await site('crowd'), await site('quiet')];
  const line = { network_id: id, ip_address: '10.0.0.7', login_status: 'Success', reason: 'password' } as const;
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const crowd = Array.from({ length: otherLineCount }, (_, place) => ({
    ...line,
    site_id: crowded.id,
    site: crowded.domain,
    email: `member-${place % 40}@crowd.org`,
    login_time: minutesAgo(60 + place),
  }));
  const own = { ...line, site_id: quiet.id, site: quiet.domain, user_id: oli.id, email: oli.email };
  await db.insert(loginLog).values([
    ...crowd,
    {
      ...own,
      reason: 'password, totp',
      mfa: 'totp',
      user_agent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
      session_id: 999_999,
      login_time: minutesAgo(58),
    },
    { ...own, login_status: 'Failed', reason: 'wrong password', ip_address: '2001:db8::7', login_time: minutesAgo(59) },
  ]);
};

/** A network whose desktop shows all sites, with one site that Finn may enter and two that he may not. */
const seedAccess = async ({ db }: Parts): Promise<void> => {
  const network = 'accesslab';
  const { id } = await networkNamed(db, network);
  await updateNetworkMode(db, id, 'All');
  await makeUser(db, { ...people.eva, network, owns: [network] });
  const finn = await makeUser(db, { ...people.finn, network });
  const physics = await makeGroup(db, { network, name: 'Physics' });
  const site = (name: string, draft: Parameters<typeof makeSite>[1] = {}) => {
    const domain = `${name.toLowerCase()}.accesslab.org`;
    return makeSite(db, { network, domain, site_name: name, identity: `https://${domain}/metadata`, ...draft });
  };
  await site('Library');
  await site('Archive', { site_mode: 'Closed' });
  const beamline = await site('Beamline', { groups: [physics.id] });
  await db.insert(loginLog).values({
    network_id: id,
    site_id: beamline.id,
    site: beamline.domain,
    user_id: finn.id,
    email: finn.email,
    ip_address: '10.0.0.7',
    login_status: 'Failed',
    reason: 'not in a group of the site',
  });
};

/** A network with an application for tests of sign-ins, and one that is closed for maintenance. Returns the latter. */
const seedWork = async ({ db }: Parts): Promise<Application> => {
  const network = 'worklab';
  const { id } = await networkNamed(db, network);
  await updateNetworkMode(db, id, 'All');
  await makeUser(db, { ...people.cara, network, owns: [network] });
  await makeUser(db, { ...people.dan, network });
  const eli = await makeUser(db, { ...people.eli, network });
  await makeGroup(db, { network, name: 'Testers', users: [eli.id] });
  const client = await makeSite(db, {
    network,
    protocol: 'oidc',
    site_name: 'Notebook',
    domain: 'notebook.worklab.org',
    identity: notebook.clientId,
    acs: '',
    sls: null,
    login_url: `${notebook.address}/`,
    oidc: oidcParameters({ redirect_uris: [`${notebook.address}/oauth2/callback`] }),
  });
  const secret = { secret_hash: hashToken(notebookSecret), hint: notebookSecret.slice(-4) };
  await db.insert(oidcSecrets).values({ site_id: client.id, ...secret });
  const key = 'demonstration-workshop';
  const at = `${serviceProviderOrigin}/${key}`;
  await makeSite(db, {
    network,
    site_name: 'Workshop',
    domain: 'workshop.worklab.org',
    identity: `${at}/metadata`,
    acs: `${at}/acs`,
    sls: `${at}/sls`,
    login_url: `${at}/login`,
  });
  return { key, name: 'Workshop', network, certificates: await findCertificates(db, id) };
};

/** Two networks with their own policies, for signing in. Returns their applications. */
const seedSignInSites = async ({ db, vault }: Parts): Promise<Application[]> => {
  const policies = {
    signinlab: { sign_up: 'Enable', password_expiration: 6 },
    strictlab: { mfa: 'Enable', mfa_options: ['google'], mfa_remember_days: 30 },
  } as const;
  const siteNames = { open: 'Open Site', closed: 'Closed Site', strict: 'Strict Site' };
  const applications: Application[] = [];
  for (const [network, policy] of Object.entries(policies)) {
    const { id } = await networkNamed(db, network);
    const names = network === 'signinlab' ? (['open', 'closed'] as const) : (['strict'] as const);
    await updateSettings(db, id, { ...policy, mfa_options: 'mfa_options' in policy ? [...policy.mfa_options] : [] });
    for (const name of names) {
      const key = `demonstration-${name}`;
      const at = `${serviceProviderOrigin}/${key}`;
      await makeSite(db, {
        network,
        site_name: siteNames[name],
        domain: `${name}.${network}.org`,
        identity: `${at}/metadata`,
        acs: `${at}/acs`,
        sls: `${at}/sls`,
        ...(name === 'closed' && {
          site_mode: 'Closed' as const,
          closed_message: 'Moved to building 7',
          message_title: 'Moving house',
          message: 'Back on Monday',
        }),
      });
      applications.push({ key, name, network, certificates: await findCertificates(db, id) });
    }
  }
  await makeUser(db, { ...people.uma, network: 'signinlab', owns: ['signinlab'] });
  await makeUser(db, { ...people.vic, network: 'signinlab', totp_secret: vault.encrypt(authenticatorSecret) });
  await makeUser(db, { ...people.wes, network: 'signinlab', password_changed_at: new Date(0) });
  await makeUser(db, { ...people.zoe, network: 'signinlab' });
  await makeUser(db, { ...people.xia, network: 'strictlab', email_mfa: true });
  await makeUser(db, { ...people.yan, network: 'strictlab' });
  return applications;
};

const quarter = 15 * 60_000;
/** An age before zero: the sign-in is still fresh when a slow machine comes to the test. */
const ahead = -6 * 60 * 60_000;

/** A console session of a person who signed in this many milliseconds ago. */
const openSession = (
  db: Parts['db'],
  user: Awaited<ReturnType<typeof makeUser>>,
  token: string,
  age: number,
  login_from = 'OpenSocial',
) =>
  db.insert(consoleSessions).values({
    token_hash: hashToken(token),
    user_id: user.id,
    session_index: token,
    name_id: user.email,
    selected_network_id: user.default_network_id,
    login_from,
    authenticated_at: new Date(Date.now() - age),
  });

/** People who change their own accounts. */
const seedProfiles = async ({ db, vault }: Parts): Promise<void> => {
  for (const person of [
    people.ira,
    people.noa,
    people.oda,
    people.pia,
    people.rex,
    people.tom,
    people.una,
    people.ema,
    people.abe,
    people.gus,
  ])
    await makeUser(db, person);
  await makeUser(db, { ...people.kai, network: 'eastlab', totp_secret: vault.encrypt(authenticatorSecret) });
  const val = await makeUser(db, {
    ...people.val,
    email_mfa: true,
    totp_secret: vault.encrypt(authenticatorSecret),
  });
  const wim = await makeUser(db, people.wim);
  const lin = await makeUser(db, people.lin);
  const nol = await makeUser(db, { ...people.nol, password_hash: null });
  const linked = new Date('2026-01-07T09:30:00Z');
  await db.insert(socialIdentities).values([
    { user_id: lin.id, provider: 'google', subject: 'lin', created_at: linked, last_used_at: linked },
    { user_id: lin.id, provider: 'github', subject: 'lin', created_at: linked },
    { user_id: nol.id, provider: 'github', subject: 'nol' },
  ]);
  await openSession(db, val, openSessions.val, quarter);
  await openSession(db, wim, openSessions.wim, 0, 'google');
  await openSession(db, nol, openSessions.nol, ahead, 'github');
};

/** A network whose sites offer every other login: one stops offering any, one requires a second factor, one answers a logout by POST, one answers it wrongly, one is gone. */
const seedSocial = async ({ db, vault }: Parts, keys: SocialKeys): Promise<Application[]> => {
  const network = 'sociallab';
  const { id } = await networkNamed(db, network);
  for (const [name, client] of Object.entries(keys))
    await updateSettings(db, id, { [`${name}_key`]: client.id, [`${name}_secret`]: vault.encrypt(client.secret) });
  const auth_options = [...socialNames.filter((name) => name !== 'work'), 'opensocial'];
  const applications: Application[] = [];
  for (const [key, site_name] of [
    ['social', 'Social Application'],
    ['fleeting', 'Fleeting Application'],
    ['guarded', 'Guarded Application'],
    ['posting', 'Posting Application'],
    ['muddled', 'Muddled Application'],
    ['gone', 'Gone Application'],
  ] as const) {
    const at = `${serviceProviderOrigin}/demonstration-${key}`;
    const unlike = { posting: `${at}/sls-by-post`, muddled: `${mailboxOrigin}/muddled-sls`, gone: unreachableUrl };
    const sls = unlike[key as keyof typeof unlike] ?? `${at}/sls`;
    const addresses = { identity: `${at}/metadata`, acs: `${at}/acs`, sls };
    const logins = { auth_options, custom_auth_options: ['work'] };
    const mfa = key === 'guarded' ? 'Enable' : 'Disable';
    await makeSite(db, { network, site_name, domain: `${key}.${network}.org`, mfa, ...addresses, ...logins });
    const certificates = await findCertificates(db, id);
    applications.push({ key: `demonstration-${key}`, name: site_name, network, certificates });
  }
  await openSession(db, await makeUser(db, { ...people.sol, network, owns: [network] }), openSessions.sol, quarter);
  for (const name of socialNames) await makeUser(db, { ...socialUser(name), network });
  await makeUser(db, { ...socialUser('opensocial'), network: 'opensocial', alsoIn: [network] });
  await makeUser(db, { ...socialUser('stranger'), network: 'opensocial' });
  return applications;
};

/** A network whose applications answer logout requests in different ways. */
const seedLogoutSites = async ({ db }: Parts): Promise<void> => {
  const network = logoutNetwork;
  for (const person of [people.lea, people.leo, people.liv, people.lux]) await makeUser(db, { ...person, network });
  for (const [key, { name, at, answers }] of Object.entries(logoutSites)) {
    const sls = key === 'none' ? null : key === 'dead' ? unreachableUrl : `${at}/${key}/sls`;
    await makeSite(db, {
      network,
      site_name: name,
      domain: `${key}.${network}.org`,
      identity: `${at}/${key}/metadata`,
      acs: `${at}/${key}/acs`,
      sls,
      sls_binding: answers === 'post' || answers === 'soap' ? answers : 'redirect',
    });
  }
};

/** A client without a secret, of the network whose applications are signed out. */
const makePublicClient = (
  { db }: Parts,
  { key, ...draft }: { key: string; site_name: string; identity: string },
  oidc: Partial<OidcParameters>,
) =>
  makeSite(db, {
    ...draft,
    network: logoutNetwork,
    protocol: 'oidc',
    domain: `${key}.${logoutNetwork}.org`,
    acs: '',
    sls: null,
    oidc: oidcParameters({ authentication: 'none', algorithm: 'ES256', ...oidc }),
  });

const seedLogoutClients = async (parts: Parts): Promise<void> => {
  for (const [key, { name, channel }] of Object.entries(logoutClients)) {
    const at = `${otherSiteOrigin}/${key}`;
    await makePublicClient(
      parts,
      { key, site_name: name, identity: `${key}-client` },
      {
        redirect_uris: [`${at}/callback`],
        post_logout_uris: [`${at}/bye`],
        backchannel_logout_uri: channel === 'server' ? `${at}/out` : '',
        frontchannel_logout_uri: channel === 'frame' ? `${at}/out` : '',
      },
    );
  }
  const at = Object.values(browserClientOrigins);
  await makePublicClient(
    parts,
    { key: 'browser', site_name: 'Browser', identity: browserClientId },
    {
      redirect_uris: at.flatMap((each) => [`${each}/callback`, `${each}/posted`]),
      post_logout_uris: at.map((each) => `${each}/bye`),
    },
  );
};

/** Seeds people, sites and invitations. Returns the applications that the service provider serves. */
export const seed = async (parts: Parts, keys: SocialKeys): Promise<Application[]> => {
  const { db } = parts;
  await db.transaction(async (tx) => {
    await createNetwork(tx, parts, 'northlab');
    await createNetwork(tx, parts, 'southlab');
    await createNetwork(tx, parts, 'eastlab');
    await createNetwork(tx, parts, 'westlab');
    await createNetwork(tx, parts, 'rulelab');
    for (const name of ['dragdesk', 'tiledesk', 'modedesk', 'signinlab', 'strictlab'])
      await createNetwork(tx, parts, name);
    await createNetwork(tx, parts, 'maillab');
    await createNetwork(tx, parts, 'sociallab');
    await createNetwork(tx, parts, 'loglab');
    await createNetwork(tx, parts, 'accesslab');
    await createNetwork(tx, parts, 'worklab');
    await createNetwork(tx, parts, logoutNetwork);
  });
  const north = await networkNamed(db, 'northlab');
  await makeUser(db, { ...people.ana, owns: ['northlab'], alsoIn: ['opensocial'] });
  const ben = await makeUser(db, people.ben);
  await makeUser(db, { ...people.cleo, network: 'southlab' });
  await makeUser(db, { ...people.ona, owns: ['opensocial'] });
  for (const person of [people.emil, people.fay]) await makeUser(db, { ...person, alsoIn: ['southlab'] });
  await joinMany(db, (await makeUser(db, people.dora)).id);
  const closed = await makeGroup(db, { name: 'Nobody' });
  await makeGroup(db, { name: 'Readers', users: [ben.id] });
  for (const [index, app] of apps.entries())
    await makeSite(db, { ...app, desktop_position: index + 2, login_url: `${serviceProviderOrigin}/` });
  await makeSite(db, {
    site_name: 'Board Room',
    desktop_position: 99,
    groups: [closed.id],
    login_url: `${serviceProviderOrigin}/`,
    text_color: '#4c1d95',
    text_background: '#ede9fe',
  });
  await makeSite(db, { network: 'opensocial', domain: 'main.example.org', desktop_position: null });
  await makeSite(db, {
    site_name: 'Demonstration',
    desktop_position: 1,
    domain: new URL(serviceProviderOrigin).host,
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
  for (const { email, token, purpose } of expiredLinks) {
    const late = await makeUser(db, { email, status: purpose === 'reset' ? 'Confirmed' : 'NonConfirmed' });
    await db.insert(oneTimeTokens).values({
      token_hash: hashToken(token),
      user_id: late.id,
      network_id: north.id,
      purpose,
      expires_at: new Date(Date.now() - 3_600_000),
    });
  }
  const { id: east, gil } = await seedEast(parts);
  await seedWest(parts, gil);
  const rules = await seedRules(parts);
  await seedProfiles(parts);
  await plantSecrets(parts);
  await seedDesks(parts);
  await seedMail(parts);
  await seedLog(parts);
  await seedAccess(parts);
  await seedLogoutSites(parts);
  await seedLogoutClients(parts);
  return [
    ...(await seedSignInSites(parts)),
    ...(await seedSocial(parts, keys)),
    await seedWork(parts),
    {
      key: 'demonstration-rules',
      name: 'Rule Book',
      network: 'rulelab',
      certificates: await findCertificates(db, rules),
    },
    {
      key: 'demonstration-east',
      name: 'Added',
      network: 'eastlab',
      certificates: await findCertificates(db, east),
    },
    {
      key: 'demonstration',
      name: 'Demonstration',
      network: 'northlab',
      certificates: await findCertificates(db, north.id),
    },
  ];
};
