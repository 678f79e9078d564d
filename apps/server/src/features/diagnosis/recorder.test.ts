import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../database/connect.ts';
import { networks, siteExchanges, sites, unknownArrivals, users } from '../../database/schema.ts';
import type { ArrivalDraft, ExchangeDraft } from '../../identity/site-exchanges.ts';
import { makeSite, makeUser, networkNamed } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { eventually } from '../../testing/machine/eventually.ts';
import { createExchangeRecorder, deleteStaleExchanges } from './diagnosis.service.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp();
});

const silent = pino({ level: 'silent' });

/** A recorder whose clock the test moves. */
const makeRecorder = (db = testApp.db) => {
  let at = Date.now();
  return {
    ...createExchangeRecorder(db, silent, { now: () => at }),
    pass: (seconds: number) => {
      at += seconds * 1_000;
    },
  };
};

type Site = typeof sites.$inferSelect;

const draftOf = (site: Site, changes: Partial<ExchangeDraft> = {}): ExchangeDraft => ({
  site,
  step: 'request',
  outcome: 'refused',
  code: 'acs_unregistered',
  isVerified: false,
  sender: '192.0.2.1',
  facts: () => ({}),
  ...changes,
});

const rowsOf = ({ id }: Site) => testApp.db.select().from(siteExchanges).where(eq(siteExchanges.site_id, id));
const arrivalsOf = (networkId: number) =>
  testApp.db.select().from(unknownArrivals).where(eq(unknownArrivals.network_id, networkId));

describe('§2.7 exchanges are bounded', () => {
  test('one sender cannot use up what other senders may record', async () => {
    const site = await makeSite(testApp.db);
    const recorder = makeRecorder();
    for (let turn = 0; turn < 5_000; turn += 1)
      recorder.record(draftOf(site, { facts: () => ({ acs: `https://flood.example/${turn}` }) }));
    recorder.record(draftOf(site, { sender: '192.0.2.2', facts: () => ({ acs: 'https://honest.example/' }) }));
    await recorder.flush();
    const stored = (await rowsOf(site)).map(({ facts }) => (facts as { acs: string }).acs);
    expect(stored).toHaveLength(11);
    expect(stored).toContain('https://honest.example/');
  });

  test('many senders together record a limited number, and do not displace other evidence', async () => {
    const site = await makeSite(testApp.db);
    const user = await makeUser(testApp.db);
    const recorder = makeRecorder();
    recorder.record(draftOf(site, { code: 'not_in_group', userId: user.id, step: 'decision' }));
    recorder.record(draftOf(site, { isVerified: true, facts: () => ({ acs: 'https://signed.example/' }) }));
    recorder.record(draftOf(site, { code: 'signature_missing' }));
    await recorder.flush();
    for (let hour = 0; hour < 8; hour += 1) {
      for (let turn = 0; turn < 300; turn += 1)
        recorder.record(
          draftOf(site, {
            sender: `198.51.100.${turn}`,
            facts: () => ({ acs: `https://flood.example/${hour}/${turn}` }),
          }),
        );
      await recorder.flush();
      recorder.pass(3_600);
    }
    const rows = await rowsOf(site);
    expect(rows).toHaveLength(50);
    expect(
      rows
        .filter(({ code }) => code !== 'acs_unregistered')
        .map(({ code }) => code)
        .toSorted(),
    ).toEqual(['not_in_group', 'signature_missing']);
    expect(rows.filter(({ is_verified }) => is_verified)).toHaveLength(1);
  });

  test('equal exchanges are one row with a count', async () => {
    const site = await makeSite(testApp.db);
    const recorder = makeRecorder();
    for (let turn = 0; turn < 4; turn += 1) {
      recorder.record(
        draftOf(site, { facts: () => ({ acs: 'https://a.example/', issuedAt: new Date(turn).toISOString() }) }),
      );
      if (turn % 2) await recorder.flush();
    }
    expect(await rowsOf(site)).toMatchObject([{ times: 4 }]);
  });

  test('of successes one per minute is recorded, and the first one after a failure', async () => {
    const site = await makeSite(testApp.db);
    const recorder = makeRecorder();
    let computed = 0;
    const success = draftOf(site, {
      outcome: 'accepted',
      step: 'answer',
      code: 'signed_in',
      facts: () => {
        computed += 1;
        return { acs: `https://a.example/${computed}` };
      },
    });
    for (let turn = 0; turn < 1_000; turn += 1) recorder.record(success);
    expect(computed).toBe(1);
    recorder.pass(60);
    recorder.record(success);
    expect(computed).toBe(2);
    recorder.record(draftOf(site));
    recorder.record(success);
    expect(computed).toBe(3);
    for (let turn = 0; turn < 20; turn += 1) {
      recorder.pass(61);
      recorder.record(success);
    }
    await recorder.flush();
    expect((await rowsOf(site)).filter(({ outcome }) => outcome === 'accepted')).toHaveLength(5);
  });

  test('texts of strangers are cut and cleaned, and lists are short', async () => {
    const site = await makeSite(testApp.db);
    const recorder = makeRecorder();
    const facts = () => ({
      acs: `https://a.example/\u0000\uD800${'x'.repeat(100_000)}`,
      contexts: Array.from({ length: 10_000 }, () => 'y'.repeat(10_000)),
    });
    recorder.record(draftOf(site, { facts }));
    await recorder.flush();
    const [row] = await rowsOf(site);
    expect(JSON.stringify(row).length).toBeLessThan(15_000);
    expect(row).toMatchObject({ facts: { acs: expect.stringMatching(/^https:\/\/a\.example\/.{0,282}…$/u) } });
  });

  test('exchanges and unknown applications are deleted after seven days, and with site, person and network', async () => {
    const [site, other] = [await makeSite(testApp.db), await makeSite(testApp.db)];
    const user = await makeUser(testApp.db);
    const recorder = makeRecorder();
    recorder.record(draftOf(site, { userId: user.id }));
    recorder.record(draftOf(site, { code: 'signature_missing' }));
    recorder.record(draftOf(other));
    await recorder.flush();
    await testApp.db.delete(users).where(eq(users.id, user.id));
    expect((await rowsOf(site)).map(({ code }) => code)).toEqual(['signature_missing']);
    await testApp.db
      .update(siteExchanges)
      .set({ last_at: new Date(Date.now() - 8 * 86_400_000) })
      .where(eq(siteExchanges.site_id, site.id));
    await deleteStaleExchanges(testApp.db);
    expect([await rowsOf(site), await rowsOf(other)].map(({ length }) => length)).toEqual([0, 1]);
    await testApp.db.delete(sites).where(eq(sites.id, other.id));
    expect(await rowsOf(other)).toEqual([]);
  });

  test('a site or a person that is gone does not keep other exchanges from being written', async () => {
    const [site, gone] = [await makeSite(testApp.db), await makeSite(testApp.db)];
    await testApp.db.delete(sites).where(eq(sites.id, gone.id));
    const recorder = makeRecorder();
    recorder.record(draftOf(gone));
    recorder.record(draftOf(site, { userId: 2_000_000_000, code: 'not_in_group' }));
    recorder.record(draftOf(site));
    await recorder.flush();
    expect((await rowsOf(site)).map(({ code }) => code)).toEqual(['acs_unregistered']);
  });
});

describe('§2.7 unknown applications are bounded', () => {
  const arrivalOf = (network: string, changes: Partial<ArrivalDraft> = {}): ArrivalDraft => ({
    network,
    protocol: 'saml',
    identity: 'https://wiki.example.org/sp',
    address: 'https://wiki.example.org/acs',
    sender: '192.0.2.1',
    ...changes,
  });

  test('one sender adds a few, all senders together twenty in a network, and none to other networks', async () => {
    const [first, second] = await testApp.db
      .insert(networks)
      .values(['floodedlab', 'quietlab'].map((name) => ({ name, sso_id: name })))
      .returning();
    const recorder = makeRecorder();
    recorder.recordArrival(arrivalOf('quietlab', { sender: '192.0.2.9' }));
    for (let turn = 0; turn < 1_000; turn += 1)
      recorder.recordArrival(arrivalOf('floodedlab', { identity: `https://${turn}.example/` }));
    await recorder.flush();
    expect(await arrivalsOf(first?.id ?? 0)).toHaveLength(5);
    for (let hour = 0; hour < 4; hour += 1) {
      for (let turn = 0; turn < 200; turn += 1)
        recorder.recordArrival(
          arrivalOf('floodedlab', { identity: `https://${hour}-${turn}.example/`, sender: `203.0.113.${turn}` }),
        );
      await recorder.flush();
      recorder.pass(3_600);
    }
    expect(await arrivalsOf(first?.id ?? 0)).toHaveLength(20);
    expect(await arrivalsOf(second?.id ?? 0)).toHaveLength(1);
    await testApp.db.delete(networks).where(eq(networks.id, first?.id ?? 0));
    expect(await arrivalsOf(first?.id ?? 0)).toEqual([]);
  });

  test('one that repeats its request is counted, and names of networks that do not exist are not stored', async () => {
    const north = await networkNamed(testApp.db, 'northlab');
    const recorder = makeRecorder();
    const repeated = arrivalOf('northlab', { identity: 'https://repeated.example/' });
    for (let turn = 0; turn < 30; turn += 1) {
      recorder.recordArrival(repeated);
      recorder.recordArrival(arrivalOf(`nowhere-${turn}`, { sender: `192.0.2.${turn}` }));
      recorder.recordArrival(arrivalOf('n'.repeat(4_000)));
      recorder.pass(10);
    }
    await recorder.flush();
    const stored = (await arrivalsOf(north.id)).filter(({ identity }) => identity === repeated.identity);
    expect(stored).toMatchObject([{ times: 30 }]);
  });

  test('one that belongs to a site of another network is not connected to it', async () => {
    const site = await makeSite(testApp.db, { network: 'opensocial' });
    const recorder = makeRecorder();
    recorder.recordArrival(arrivalOf('northlab', { identity: 'https://foreign.example/', address: site.acs }));
    await recorder.flush();
    expect(await rowsOf(site)).toEqual([]);
  });
});

describe('§2.7 recording gives way', () => {
  test('a recorder drops what it cannot hold', async () => {
    const places = await Promise.all(Array.from({ length: 60 }, () => makeSite(testApp.db)));
    const recorder = makeRecorder();
    for (const site of places)
      for (let turn = 0; turn < 10; turn += 1)
        recorder.record(draftOf(site, { facts: () => ({ acs: `https://a.example/${turn}` }) }));
    await recorder.flush();
    const stored = await Promise.all(places.map(rowsOf));
    expect(stored.flat()).toHaveLength(400);
  });

  test('it writes nothing while requests wait for a connection', async () => {
    const site = await makeSite(testApp.db);
    // More than there are connections.
    const busy = Array.from({ length: 25 }, () => testApp.pool.query('select pg_sleep(0.2)'));
    const recorder = makeRecorder();
    recorder.record(draftOf(site));
    await recorder.flush();
    await Promise.all(busy);
    expect(await rowsOf(site)).toEqual([]);
    recorder.record(draftOf(site));
    await recorder.flush();
    expect(await rowsOf(site)).toHaveLength(1);
  });

  test('without a database, with a fault in the facts and after it was stopped, it drops everything quietly', async () => {
    const site = await makeSite(testApp.db);
    const ended = connect(testApp.pool.options, () => undefined);
    await ended.close();
    const away = makeRecorder(ended.db);
    away.record(draftOf(site));
    away.recordArrival({ network: 'northlab', protocol: 'saml', identity: 'x', address: '', sender: '' });
    await expect(away.flush()).resolves.toBeUndefined();
    const recorder = makeRecorder();
    const fail = () => {
      throw new Error('This is not expected.');
    };
    expect(() => recorder.record(draftOf(site, { facts: fail }))).not.toThrow();
    recorder.record(draftOf(site, { code: 'signature_missing' }));
    await recorder.stop();
    recorder.record(draftOf(site));
    await recorder.flush();
    expect((await rowsOf(site)).map(({ code }) => code)).toEqual(['signature_missing']);
  });

  test('it writes by itself, shortly after an exchange', async () => {
    const site = await makeSite(testApp.db);
    makeRecorder().record(draftOf(site));
    await eventually(async () => expect(await rowsOf(site)).toHaveLength(1));
  });
});
