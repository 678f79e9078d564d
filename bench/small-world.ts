import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAuthnRequest, newSamlId, redirectUrl } from '@opensocial/saml';
import type { buildApp } from '../apps/server/src/app.ts';
import { readConfig } from '../apps/server/src/config.ts';
import type { sites } from '../apps/server/src/database/schema.ts';
import { createLog } from '../apps/server/src/log.ts';
import { open } from '../apps/server/src/process/start.ts';
import { makeSite, makeUser } from '../apps/server/src/testing/app/builders.ts';
import { openSession } from './parts/sign-ons.ts';

export const network = 'opensocial';
const signOnsPerTurn = 40;
const atOnce = 8;

type App = Awaited<ReturnType<typeof buildApp>>;
type Site = typeof sites.$inferSelect;
type SiteDraft = Parameters<typeof makeSite>[1];

/** A database of its own with people who have sessions, for measurements in turns within one process. */
export const openSmallWorld = async (name: string, people = 20) => {
  const folder = await mkdtemp(join(tmpdir(), `opensocial-${name}-`));
  await chmod(folder, 0o711);
  const config = readConfig({
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    SECRET_KEY: 'a secret key that only this measurement uses',
  });
  const opened = await open(config, createLog(config.logLevel));
  const { parts } = opened;
  const cookies: string[] = [];
  for (let person = 0; person < people; person += 1) {
    const user = await makeUser(parts.db, { network });
    cookies.push(await openSession(parts, { ...user, credentialsAt: user.credentials_at }));
  }

  const location = `${config.publicUrl}/saml/${network}/sso`;
  const signOn = async (app: App, { identity, acs }: Site, turn: number): Promise<void> => {
    const draft = { id: newSamlId(), issuer: identity, destination: location, acsUrl: acs, issueInstant: new Date() };
    const url = new URL(redirectUrl({ location, kind: 'SAMLRequest', xml: buildAuthnRequest(draft) }));
    const headers = { cookie: cookies[(turn * 7) % people] ?? '' };
    const { statusCode, payload } = await app.inject({ url: `${url.pathname}${url.search}`, headers });
    if (statusCode !== 200 || !payload.includes('SAMLResponse'))
      throw new Error(`${statusCode}: ${payload.slice(0, 300)}`);
  };

  let turns = 0;
  return {
    parts,
    makeSites: async (count: number, draft: SiteDraft = {}): Promise<Site[]> => {
      const made: Site[] = [];
      for (let site = 0; site < count; site += 1) made.push(await makeSite(parts.db, { network, ...draft }));
      return made;
    },
    /** The CPU milliseconds of a sign-on in a turn, at sites in turn. A turn ends when everything is written. */
    measureTurn: async (app: App, [first, ...others]: readonly Site[]): Promise<number> => {
      if (!first) throw new Error('There is no site.');
      const places = [first, ...others];
      const before = process.cpuUsage();
      for (let done = 0; done < signOnsPerTurn; done += atOnce)
        await Promise.all(
          Array.from({ length: atOnce }, () => {
            turns += 1;
            return signOn(app, places[turns % places.length] ?? first, turns);
          }),
        );
      await parts.exchanges.flush();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000 / signOnsPerTurn;
    },
    close: async (): Promise<void> => {
      await opened.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

const siteCount = 20;
const peopleCount = 100;

/** Sites, and people with a live session, in the database of a built server with this environment. */
export const makePeopleAndSites = async (environment: Record<string, string | undefined>, draft: SiteDraft = {}) => {
  const config = readConfig({ ...environment, LOG_LEVEL: 'silent' });
  const { parts, close } = await open(config, createLog(config.logLevel));
  try {
    const made = [];
    for (let place = 0; place < siteCount; place += 1) made.push(await makeSite(parts.db, { network, ...draft }));
    const cookies: string[] = [];
    const emails: string[] = [];
    for (let place = 0; place < peopleCount; place += 1) {
      const user = await makeUser(parts.db, { network });
      cookies.push(await openSession(parts, { ...user, credentialsAt: user.credentials_at }));
      emails.push(user.email);
    }
    return { network, sites: made, cookies, emails };
  } finally {
    await close();
  }
};
