import { fixSite, type Subscriber, setSiteMode } from '@opensocial/contract';
import { makeSigningKey } from '../apps/server/src/secrets/signing-keys.ts';
import { makeGroup } from '../apps/server/src/testing/app/builders.ts';
import { checkClientDiagnosis } from './diagnosis.clients.ts';
import { checkFinding, checkSolved, type Diagnosed } from './diagnosis.findings.ts';
import { change, type IdentityProvider, network } from './identity-provider.ts';
import { report, type World } from './report.ts';
import { type ServiceProvider, startPysaml2 } from './service-providers.ts';

const fix = async (
  target: Diagnosed,
  what: string,
  { exchange, version }: Awaited<ReturnType<typeof checkFinding>>,
) => {
  const isOffered = exchange?.finding.fix != null;
  report(`${target.name}, ${what}: a fix is offered`, isOffered, '');
  if (!isOffered) return;
  const params = { site_id: target.siteId, exchange_id: exchange.id };
  await target.idp.call(fixSite, { params, body: { based_on: version } });
};

type Registered = { provider: ServiceProvider; site: Subscriber };

const targetOf = (idp: IdentityProvider, { provider, site }: Registered): Diagnosed => ({
  idp,
  name: provider.name,
  page: provider.page,
  siteId: site.id,
});

/** Changes a column of a site that the API does not change, or not alone. */
const setColumn = ({ connection }: IdentityProvider, id: number, column: string, value: string | boolean) =>
  connection.pool.query(`update sites set ${column} = $1 where id = $2`, [value, id]);

/** A certificate of another key. */
const makeOtherCertificate = async (): Promise<string> => (await makeSigningKey('another key')).certificate;

/** The same, three years ago: it has expired since. */
const makeExpiredCertificate = async (): Promise<string> => {
  const { now } = Date;
  Date.now = () => now() - 3 * 365 * 86_400_000;
  try {
    return await makeOtherCertificate();
  } finally {
    Date.now = now;
  }
};

/** Addresses, names and certificates that differ between the application and its registration. */
const checkParameters = async (idp: IdentityProvider, registered: Registered): Promise<void> => {
  const { site } = registered;
  const target = targetOf(idp, registered);
  const slash = await change(idp.call, site, { acs: `${site.acs}/`, further_acs: [] });
  await fix(target, 'trailing slash', await checkFinding(target, 'trailing slash', 'acs_unregistered'));
  await checkSolved(target, 'trailing slash', 'acs_unregistered');
  await change(idp.call, slash, { acs: site.acs.replace(/[^/]+$/, 'elsewhere') });
  await fix(target, 'wrong ACS', await checkFinding(target, 'wrong ACS', 'acs_unregistered'));
  await checkSolved(target, 'wrong ACS', 'acs_unregistered');

  await setColumn(idp, site.id, 'identity', `${site.identity}/former`);
  await checkFinding(target, 'wrong entity id', 'issuer_unknown');
  await setColumn(idp, site.id, 'identity', site.identity);
  await checkSolved(target, 'wrong entity id', 'issuer_unknown');

  await setColumn(idp, site.id, 'certificate', await makeOtherCertificate());
  await checkFinding(target, 'wrong certificate', 'signature_invalid');
  await setColumn(idp, site.id, 'certificate', await makeExpiredCertificate());
  await checkFinding(target, 'expired certificate', 'certificate_expired');
  await setColumn(idp, site.id, 'certificate', site.certificate);
  await checkSolved(target, 'wrong certificate', 'signature_invalid');
};

/** Requests that the site does not get granted, and people who may not enter it. */
const checkDecisions = async (idp: IdentityProvider, registered: Registered): Promise<void> => {
  const { id } = registered.site;
  const target = targetOf(idp, registered);
  const { db, pool } = idp.connection;
  const group = await makeGroup(db, { network, sites: [id] });
  await checkFinding(target, 'not in group', 'not_in_group');
  await pool.query('delete from groups where id = $1', [group.id]);
  await checkSolved(target, 'not in group', 'not_in_group');

  await idp.call(setSiteMode, { params: { site_id: id, mode: 'Closed' } });
  await checkFinding(target, 'site closed', 'site_closed');
  await idp.call(setSiteMode, { params: { site_id: id, mode: 'Open' } });
  await checkSolved(target, 'site closed', 'site_closed');

  await setColumn(idp, id, 'mfa', 'Enable');
  await checkFinding(target, 'second factor missing', 'factor_missing');
  await setColumn(idp, id, 'mfa', 'Disable');
};

/** A format of the NameID that the site does not get. */
const checkNameId = async (idp: IdentityProvider, registered: Registered): Promise<void> => {
  const { id } = registered.site;
  const target = targetOf(idp, registered);
  await setColumn(idp, id, 'name_id_format', 'unspecified');
  await checkFinding(target, 'NameID unavailable', 'name_id_unavailable');
  await setColumn(idp, id, 'name_id_format', 'requested');
  await checkSolved(target, 'NameID unavailable', 'name_id_unavailable');
};

/** Starts another pysaml2 with options, and registers it. */
const startMisconfigured = async (
  { idp, folder }: World,
  options: { port: number; clock?: number; sign?: boolean },
): Promise<Diagnosed> => {
  const provider = await startPysaml2(folder, options);
  return targetOf(idp, { provider, site: await idp.register(provider) });
};

/** A dozen common mistakes with real software: each has to be named, and the sign-in has to work after it was corrected. */
export const checkDiagnosis = async (world: World): Promise<void> => {
  const { idp } = world;
  for (const registered of world.sites) {
    if (!['mod_auth_mellon', 'pysaml2'].includes(registered.provider.name)) continue;
    await checkParameters(idp, registered);
    await checkDecisions(idp, registered);
    // pysaml2 does not ask for a format.
    if (registered.provider.name === 'mod_auth_mellon') await checkNameId(idp, registered);
  }
  const unsigned = await startMisconfigured(world, { port: 4819, sign: false });
  await setColumn(idp, unsigned.siteId, 'signed_requests', true);
  await checkFinding(unsigned, 'missing signature', 'signature_missing');
  await setColumn(idp, unsigned.siteId, 'signed_requests', false);
  await checkSolved(unsigned, 'missing signature', 'signature_missing');
  const ahead = await startMisconfigured(world, { port: 4820, clock: 600 });
  await checkFinding(ahead, 'clock ten minutes ahead', 'clock_ahead');
  const behind = await startMisconfigured(world, { port: 4821, clock: -600 });
  await checkFinding(behind, 'clock ten minutes behind', 'clock_behind');
  await checkClientDiagnosis(world);
};
