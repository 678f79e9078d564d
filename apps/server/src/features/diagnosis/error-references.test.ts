import { findErrorReference, listActivity, type ShownErrorPage } from '@opensocial/contract';
import { buildAuthnRequest, redirectUrl } from '@opensocial/saml';
import { and, eq, sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { errorReferences, loginLog, memberships, throttles } from '../../database/schema.ts';
import { newUid } from '../../secrets/tokens.ts';
import type { Page } from '../../testing/app/browser.ts';
import { makeGroup, makeSite, makeUser, networkNamed, password, signInto } from '../../testing/app/builders.ts';
import { OidcClient } from '../../testing/app/oidc-client.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { testOrigin } from '../../testing/app/test-parts.ts';
import { deleteStale } from './diagnosis.recorder.queries.ts';

let testApp: TestApp;
let asOwner: ReturnType<TestApp['as']>;
beforeAll(async () => {
  testApp = await buildTestApp();
  asOwner = await callerOf({ owns: ['northlab'] });
});
beforeEach(async () => {
  await testApp.db.delete(throttles);
});

const callerOf = async (draft: Parameters<typeof makeUser>[1]) =>
  testApp.as(await signInto(testApp.db, testApp.browser(), await makeUser(testApp.db, draft)));

const referenceOn = (page: Page): string => {
  const [, reference] = /<dd>(\d{5}-\d{5})<\/dd>/.exec(page.html) ?? [];
  if (!reference) throw new Error('The page has no reference number.');
  return reference;
};

const find = async (reference: string, call = asOwner, network = 'northlab'): Promise<ShownErrorPage | null> => {
  await testApp.parts.exchanges.flush();
  return (await call(findErrorReference, { params: { server_name: network, reference } })).page;
};

/** A member who may not enter a site is sent there and signs in. */
const refusedAt = async (network = 'northlab') => {
  const user = await makeUser(testApp.db, { network });
  const group = await makeGroup(testApp.db, { network });
  const site = await makeSite(testApp.db, { network, groups: [group.id] });
  const browser = testApp.browser();
  const page = await browser.submit(await browser.get(`/saml/${network}/start/${site.id}`), {
    email: user.email,
    password,
  });
  expect(page.status).toBe(403);
  return { user, site, reference: referenceOn(page) };
};

describe('§7.13 the reference number of an error page', () => {
  test('finds the failed attempt with its person, site and line of the log', async () => {
    const { user, site, reference } = await refusedAt();
    const found = await find(reference);
    expect(found).toMatchObject({
      reference,
      title: `You don't have access to ${site.site_name}`,
      site: { id: site.id, domain: site.domain, is_console: false },
      person: { id: user.id, email: user.email },
      line: { reason: 'not in a group of the site' },
    });
    const [line] = await testApp.db
      .select()
      .from(loginLog)
      .where(eq(loginLog.id, found?.line?.id ?? 0));
    expect(line).toMatchObject({ site_id: site.id, user_id: user.id, login_status: 'Failed' });
  });

  test('is found without its hyphen, and with a space', async () => {
    const { reference } = await refusedAt();
    for (const typed of [reference.replace('-', ''), reference.replace('-', ' '), ` ${reference} `])
      expect((await find(typed))?.reference).toBe(reference);
  });

  test('is a search of Activity, which finds the line for owners only', async () => {
    const { user, reference } = await refusedAt();
    const foreign = (await refusedAt('southlab')).reference;
    await testApp.parts.exchanges.flush();
    const search = async (call: typeof asOwner, keyword: string) =>
      call(listActivity, { params: { server: 'northlab', lastid: 0, keyword }, query: {} });
    expect(await search(asOwner, reference.replace('-', ''))).toMatchObject({
      logs: [{ email: user.email, reason: 'not in a group of the site' }],
      all_logs: 1,
    });
    expect(await search(asOwner, foreign)).toEqual({ logs: [], all_logs: 0 });
    const asUser = testApp.as(await signInto(testApp.db, testApp.browser(), user));
    expect(await search(asUser, reference)).toEqual({ logs: [], all_logs: 0 });
  });

  test('finds a SAML request that was refused before a person was known', async () => {
    const site = await makeSite(testApp.db);
    const location = `${testOrigin}/saml/northlab/sso`;
    const send = (issuer: string) => {
      const acsUrl = `${site.acs}/other`;
      const draft = { id: `_${newUid()}`, issuer, destination: location, acsUrl, issueInstant: new Date() };
      return testApp.browser().get(redirectUrl({ location, kind: 'SAMLRequest', xml: buildAuthnRequest(draft) }));
    };
    expect(await find(referenceOn(await send(site.identity)))).toMatchObject({
      title: 'The return address is not registered',
      site: { id: site.id },
      person: null,
      line: null,
    });
    expect(await find(referenceOn(await send(`https://${newUid()}.example`)))).toMatchObject({
      title: 'This application is not registered',
      site: null,
    });
  });

  test('finds an OpenID Connect request that was refused', async () => {
    const client = await OidcClient.of(testApp);
    const url = client.authorizationUrl({ redirect_uri: 'https://other.example/callback' });
    const page = await testApp.browser().get(url);
    expect(await find(referenceOn(page))).toMatchObject({
      title: 'This request is not valid',
      site: { id: client.site.id },
    });
  });

  test('names nobody who is not a member of the network of the site', async () => {
    const stranger = await makeUser(testApp.db, { network: 'southlab' });
    const site = await makeSite(testApp.db);
    const browser = testApp.browser();
    const page = await browser.submit(await browser.get(`/saml/northlab/start/${site.id}`), {
      email: stranger.email,
      password,
    });
    const reference = referenceOn(page);
    expect(await find(reference)).toMatchObject({ site: { id: site.id }, person: null });
    const [row] = await testApp.db.select().from(errorReferences).where(eq(errorReferences.reference, reference));
    expect(row?.user_id).toBeNull();
    expect(JSON.stringify(await find(reference))).not.toContain(stranger.fullname);
  });

  test('does not name a person any more who has left the network', async () => {
    const { user, reference } = await refusedAt();
    const { id } = await networkNamed(testApp.db, 'northlab');
    await testApp.db.delete(memberships).where(and(eq(memberships.user_id, user.id), eq(memberships.network_id, id)));
    expect(await find(reference)).toMatchObject({ reference, person: null });
  });

  test('of a page of the console belongs to the main network', async () => {
    const page = await testApp.browser().post('/server/saml/acs', { SAMLResponse: 'x' });
    const reference = referenceOn(page);
    const asMainOwner = await callerOf({ network: 'opensocial', owns: ['opensocial'] });
    expect(await find(reference, asMainOwner, 'opensocial')).toMatchObject({ reference });
    expect(await find(reference)).toBeNull();
  });

  test('is forgotten after 30 days', async () => {
    const [kept, old] = [await refusedAt(), await refusedAt()];
    expect(await find(old.reference)).not.toBeNull();
    await testApp.db
      .update(errorReferences)
      .set({ at: sql`now() - interval '31 days'` })
      .where(eq(errorReferences.reference, old.reference));
    await deleteStale(testApp.db);
    expect([await find(kept.reference), await find(old.reference)]).toMatchObject([{}, null]);
  });

  test('is kept of the newest pages only, and strangers do not displace those of known people', async () => {
    const { reference } = await refusedAt();
    await find(reference);
    const { id } = await networkNamed(testApp.db, 'northlab');
    await testApp.db.execute(sql`
      insert into error_references (network_id, reference, title, message)
      select ${id}, lpad(place::text, 5, '0') || '-00000', '', '' from generate_series(1, 3000) as place`);
    await testApp.browser().get('/saml/northlab/start/0');
    await testApp.parts.exchanges.flush();
    expect(await testApp.db.$count(errorReferences, sql`user_id is null and network_id = ${id}`)).toBe(2_000);
    expect(await find(reference)).not.toBeNull();
  });
});

describe('attack: the reference number of another network', () => {
  test('is answered to its owner like a number that does not exist, by the owner of any network', async () => {
    const { reference } = await refusedAt();
    const unused = '00000-00001';
    for (const network of ['southlab', 'opensocial']) {
      const call = await callerOf({ network, owns: [network] });
      expect(await find(reference, call, network)).toBeNull();
      expect(await find(unused, call, network)).toBeNull();
      const foreign = await Promise.allSettled([find(reference, call), find(unused, call)]);
      expect(foreign[0]).toMatchObject({ status: 'rejected', reason: { code: 'not_found' } });
      expect(foreign[1]).toEqual(foreign[0]);
    }
  });

  test('and of the own network is refused to an ordinary member, whether or not it exists', async () => {
    const { reference } = await refusedAt();
    const call = await callerOf({});
    const answers = await Promise.allSettled([find(reference, call), find('00000-00001', call)]);
    expect(answers[0]).toMatchObject({ status: 'rejected' });
    expect(answers[1]).toEqual(answers[0]);
  });

  test('does not name a site or line of another network, even if the row says so', async () => {
    const { site, reference } = await refusedAt('southlab');
    await testApp.parts.exchanges.flush();
    const [row] = await testApp.db.select().from(errorReferences).where(eq(errorReferences.reference, reference));
    const { id } = await networkNamed(testApp.db, 'northlab');
    await testApp.db.insert(errorReferences).values({
      network_id: id,
      reference,
      site_id: row?.site_id,
      user_id: row?.user_id,
      line_id: row?.line_id,
      title: '',
      message: '',
    });
    const found = await find(reference);
    expect(found).toMatchObject({ site: null, person: null, line: null });
    expect(JSON.stringify(found)).not.toContain(site.domain);
  });
});
