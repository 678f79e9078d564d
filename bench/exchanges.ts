import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAuthnRequest, newSamlId, redirectUrl } from '@opensocial/saml';
import { buildApp } from '../apps/server/src/app.ts';
import { readConfig } from '../apps/server/src/config.ts';
import { sites } from '../apps/server/src/database/schema.ts';
import { insertIdentitySession } from '../apps/server/src/features/sign-in/accounts/identity-sessions.queries.ts';
import type { ExchangeRecorder } from '../apps/server/src/identity/site-exchanges.ts';
import { createLog } from '../apps/server/src/log.ts';
import { open } from '../apps/server/src/process/start.ts';
import { makeSite, makeUser } from '../apps/server/src/testing/app/builders.ts';
import { median, quantile } from './report.ts';

/**
 * How much slower a single sign-on is because exchanges are recorded for diagnosis. Two apps in one process and on one database
 * take turns: one records, the other does not. Short turns and a random order let the load of the machine change both alike. What is
 * compared is the CPU time of the process, which includes the writing, because each turn ends when everything is written.
 */
const rounds = Number(process.argv[2] ?? 200);
const signOnsPerTurn = 40;
const atOnce = 8;
const siteCount = 20;
const network = 'opensocial';

const folder = await mkdtemp(join(tmpdir(), 'opensocial-exchanges-'));
await chmod(folder, 0o711);
const config = readConfig({
  DATA_DIR: folder,
  LOG_LEVEL: 'silent',
  SECRET_KEY: 'a secret key that only this measurement uses',
});
const opened = await open(config, createLog(config.logLevel));
const { parts } = opened;

const nothing: ExchangeRecorder = {
  record: () => undefined,
  recordArrival: () => undefined,
  recordErrorPage: () => undefined,
  flush: async () => undefined,
  stop: async () => undefined,
};
const apps = { recording: await buildApp(parts), without: await buildApp({ ...parts, exchanges: nothing }) };
type Kind = keyof typeof apps;

const places: (typeof sites.$inferSelect)[] = [];
const cookies: string[] = [];
for (let place = 0; place < siteCount; place += 1) {
  places.push(await makeSite(parts.db, { network }));
  const user = await makeUser(parts.db, { network });
  const session = { session_index: newSamlId(), login_from: 'OpenSocial', authenticated_at: new Date() };
  const { token } =
    (await insertIdentitySession(
      parts.db,
      { id: user.id, credentialsAt: user.credentials_at },
      { ...session, mfa: null, ip_address: null, user_agent: null },
    )) ?? {};
  cookies.push(`opensocial_identity=${token}`);
}

const location = `${config.publicUrl}/saml/${network}/sso`;
const signOn = async (kind: Kind, turn: number): Promise<void> => {
  const { identity, acs } = places[turn % siteCount] ?? { identity: '', acs: '' };
  const draft = { id: newSamlId(), issuer: identity, destination: location, acsUrl: acs, issueInstant: new Date() };
  const url = new URL(redirectUrl({ location, kind: 'SAMLRequest', xml: buildAuthnRequest(draft) }));
  const headers = { cookie: cookies[(turn * 7) % siteCount] ?? '' };
  const { statusCode, payload } = await apps[kind].inject({ url: `${url.pathname}${url.search}`, headers });
  if (statusCode !== 200 || !payload.includes('SAMLResponse'))
    throw new Error(`${statusCode}: ${payload.slice(0, 300)}`);
};

let turns = 0;
/** The CPU milliseconds of a sign-on. */
const measureTurn = async (kind: Kind): Promise<number> => {
  const before = process.cpuUsage();
  for (let done = 0; done < signOnsPerTurn; done += atOnce)
    await Promise.all(Array.from({ length: atOnce }, () => signOn(kind, (turns += 1))));
  await parts.exchanges.flush();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / signOnsPerTurn;
};

/** The ratio of CPU times in each round, which has one turn of each app. */
const compare = async (): Promise<number[]> => {
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const order: Kind[] = Math.random() < 0.5 ? ['recording', 'without'] : ['without', 'recording'];
    const times = { recording: 0, without: 0 };
    for (const kind of order) times[kind] = await measureTurn(kind);
    ratios.push(times.recording / times.without);
  }
  return ratios;
};

const print = (what: string, ratios: readonly number[]): void =>
  console.log(
    `${what}: ${median(ratios).toFixed(3)} times the CPU time without recording (quartiles ${quantile(ratios, 0.25).toFixed(3)} to ${quantile(ratios, 0.75).toFixed(3)}; goal ≤ 1.02)`,
  );

try {
  for (let warm = 0; warm < 25; warm += 1)
    for (const kind of ['recording', 'without'] as const) await measureTurn(kind);
  print('sign-ons', await compare());
  await parts.db.update(sites).set({ watched_until: new Date(Date.now() + 3_600_000) });
  print('sign-ons at sites that are watched', await compare());
} finally {
  for (const app of Object.values(apps)) await app.close();
  await opened.close();
  await rm(folder, { recursive: true, force: true });
}
