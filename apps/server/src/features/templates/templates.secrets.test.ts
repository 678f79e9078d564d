import {
  createUser,
  getTemplates,
  sendTestMail,
  TemplateKind,
  templateNames,
  updateTemplate,
} from '@opensocial/contract';
import { eq } from 'drizzle-orm';
import { fromHtml } from 'hast-util-from-html';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { emailTemplates, throttles, users } from '../../database/schema.ts';
import type { Mail } from '../../mail/mailer.ts';
import { eachElement } from '../../markup/html.ts';
import { makeSite, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { mailsQueuedBy } from '../../testing/app/queued-mails.ts';
import { ServiceProvider } from '../../testing/app/service-provider.ts';
import { setPolicy } from '../../testing/app/sign-in-pages.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { testOrigin } from '../../testing/app/test-parts.ts';
import { codeLeaks, tokenLeaks } from '../../testing/payloads/mail-attacks.ts';
import { renderNetworkMail, reportTemplates } from './templates.service.ts';

let testApp: TestApp;
let north: Awaited<ReturnType<typeof networkNamed>>;
let owner: Awaited<ReturnType<typeof makeUser>>;
let member: Awaited<ReturnType<typeof makeUser>>;
let call: ReturnType<TestApp['as']>;
beforeAll(async () => {
  testApp = await buildTestApp();
  north = await networkNamed(testApp.db, 'northlab');
  owner = await makeUser(testApp.db, { owns: ['northlab'], email: 'owner@northlab.org' });
  member = await makeUser(testApp.db, { email: 'member@northlab.org' });
  call = testApp.as(await signInto(testApp.db, testApp.browser(), owner));
});
beforeEach(async () => {
  await testApp.db.delete(throttles);
  await testApp.db.delete(emailTemplates);
});

const tokenKinds = ['invitation', 'signup', 'reset', 'resend'] as const;
const params = { server: 'northlab' };
const setPassword = '{signup_from}/set-password?email={email}&token={token}';

const save = (kind: TemplateKind, html: string) => {
  const { field, updateMarker } = templateNames[kind];
  const body = { server: 'northlab', request: updateMarker, [field]: JSON.stringify({ design: null, html }) };
  return call(updateTemplate, { params, body });
};

/** Stores a template as a version without the current rules may have left it. */
const store = (kind: TemplateKind, html: string) =>
  testApp.db
    .insert(emailTemplates)
    .values({ network_id: north.id, kind, html, in_use: true })
    .onConflictDoUpdate({
      target: [emailTemplates.network_id, emailTemplates.kind],
      set: { html, in_use: true, refused_at: null },
    });

const secrets = { token: 'the-token-of-the-link', email_code: '424242' };
const render = (kind: TemplateKind, email = member.email, values: object = {}): Promise<Mail> =>
  renderNetworkMail(testApp.db, testApp.parts, north, kind, { user_name: 'Bea Ito', email, ...secrets, ...values });

/** Requests a mail on a sign-in page of northlab, and returns what was queued. */
const ask = async (reason: 'forgot' | 'sign-up', fields: Record<string, string>): Promise<Mail[]> => {
  const provider = await ServiceProvider.of(testApp, await makeSite(testApp.db));
  const browser = testApp.browser();
  const page = await browser.get(await provider.signInUrl());
  const form = await browser.get(`${page.url}/${reason}`);
  return mailsQueuedBy(testApp, () => browser.submit(form, fields));
};

const ownLink = (email: string, token: string = secrets.token) =>
  `${testOrigin}/set-password?${new URLSearchParams({ email, token })}`;

/** Every attribute of a mail that contains or loads a URL, and every other attribute. */
const attributesOf = ({ html }: Mail) => {
  const found: { name: string; value: string }[] = [];
  eachElement(fromHtml(html), ({ properties }) => {
    for (const [name, value] of Object.entries(properties)) found.push({ name, value: String(value) });
  });
  return found;
};

/** Asserts that secrets appear only in the link that our code built, and as words of their own. */
const expectSecretsStay = (mail: Mail, email = member.email) => {
  const link = ownLink(email);
  for (const { name, value } of attributesOf(mail))
    if (value.includes(secrets.token) || value.includes(secrets.email_code))
      expect({ name, value }).toEqual({ name: 'href', value: link });
  for (const line of mail.text.split('\n')) if (line.includes(secrets.token)) expect(line).toBe(link);
  for (const word of mail.text.split(/\s/))
    if (word.includes(secrets.email_code)) expect(word).toMatch(/^[\w=([]*424242[)\].,:;!?]*$/);
  const shown = fromHtml(mail.html);
  const words: string[] = [];
  const collect = (node: typeof shown | (typeof shown.children)[number]): void => {
    if (node.type === 'text') words.push(node.value);
    if ('children' in node) for (const child of node.children) collect(child);
  };
  collect(shown);
  expect(words.join('')).not.toContain(secrets.token);
  expect(mail.subject).not.toMatch(/the-token|424242/);
};

describe('a template that would leak a secret', () => {
  test('has more than a hundred variants', () => expect(tokenLeaks.length + codeLeaks.length).toBeGreaterThan(100));

  test.for(tokenLeaks)('is refused on save: %s', async (html) => {
    for (const kind of ['reset', 'invitation'] as const)
      await expect(save(kind, html)).rejects.toMatchObject({
        status: 400,
        code: 'template_refused',
        message: expect.stringContaining(`Use the 'Set your password' button or link: ${setPassword}`) as string,
      });
    expect(await testApp.db.select().from(emailTemplates)).toEqual([]);
  });

  test.for(codeLeaks)('is refused on save: %s', async (html) => {
    await expect(save('emailmfa', html)).rejects.toMatchObject({
      status: 400,
      code: 'template_refused',
      message: expect.stringContaining('{email_code}') as string,
    });
  });

  test.for(tokenLeaks)('is not sent if it is already stored: %s', async (html) => {
    for (const kind of tokenKinds) {
      await store(kind, `<p>Hostile</p>${html}`);
      expectSecretsStay(await render(kind));
    }
  });

  test.for(codeLeaks)('is not sent if it is already stored: %s', async (html) => {
    await store('emailmfa', `<p>Hostile</p>${html}`);
    const hostile = { site: 'https://evil.example/', user_name: 'https://evil.example/' };
    expectSecretsStay(await render('emailmfa', member.email, hostile));
  });

  test('is refused in a test mail as well', async () => {
    const template = JSON.stringify({ design: null, html: '<a href="{signup_from}/saml/h/sso?{token}">x</a>' });
    await expect(call(sendTestMail, { params, body: { kind: 'reset', template } })).rejects.toMatchObject({
      code: 'template_refused',
    });
  });
});

describe('the link that sets a password', () => {
  const spellings = [
    setPassword,
    '{signup_from}/set-password?token={token}&email={email}',
    '{{ signup_from }}/set-password?email={{ email }}&token={{token}}',
    `${testOrigin}/set-password?email={email}&token={token}`,
  ];

  test.for(spellings)('is built by our own code from %s', async (href) => {
    for (const kind of tokenKinds) {
      await save(kind, `<p>Ours</p><a href="${href.replaceAll('&', '&amp;')}">Go</a>`);
      await store(kind, (await testApp.db.select().from(emailTemplates))[0]?.html ?? '');
      const mail = await render(kind);
      expectSecretsStay(mail);
      expect(mail.text).toBe(`Ours\n\nGo:\n${ownLink(member.email)}`);
      expect(attributesOf(mail).filter(({ name }) => name === 'href')).toEqual([
        { name: 'href', value: ownLink(member.email) },
      ]);
      await testApp.db.delete(emailTemplates);
    }
  });

  test.for([
    `https://evil.example/?u=<a href="${setPassword}"></a>`,
    `https://evil.example/?u=<a href="${setPassword}"> </a>/more`,
    `https://evil.example/?u=<a href="${setPassword}">x</a>@evil.example`,
    `<img src="/server/sso/sso_images/image/a.png" alt="https://evil.example/"><a href="${setPassword}"></a>`,
    `<a href="https://evil.example/?u="><a href="${setPassword}"></a></a>`,
  ])('is on a line of its own in the plain text: %s', async (html) => {
    await store('reset', html);
    const mail = await render('reset');
    expectSecretsStay(mail);
    expect(mail.text.split('\n')).toContain(ownLink(member.email));
  });
});

describe('a tag without a value in this mail', () => {
  test.for(['ex_user_invitation', 'emailmfa'] as const)('{token} is refused in %s', async (kind) => {
    for (const html of [`<a href="${setPassword}">x</a>`, '<p>{token}</p>'])
      await expect(save(kind, html)).rejects.toMatchObject({
        code: 'template_refused',
        message: expect.stringMatching(/^This email has no \{token\}/) as string,
      });
  });

  test.for(TemplateKind.options.filter((kind) => kind !== 'emailmfa'))('{email_code} is refused in %s', (kind) =>
    expect(save(kind, '<p>{email_code}</p>')).rejects.toMatchObject({
      code: 'template_refused',
      message: expect.stringMatching(/^This email has no \{email_code\}/) as string,
    }),
  );

  test.for([
    '<p>Code: {email_code}</p>',
    '<p>Code:{email_code}</p>',
    '<p>({{ email_code }}), please.</p>',
    '<p>It is <b>{email_code}</b>.</p>',
    '<p>验证码：{email_code}，请输入</p>',
    '<h1>{email_code}</h1><a href="{signup_from}/">Home</a>',
  ])('a code as a word is saved and sent: %s', async (html) => {
    await save('emailmfa', html);
    await store('emailmfa', html);
    const mail = await render('emailmfa');
    expect(mail.text).toContain(secrets.email_code);
    expect(mail.subject).toBe('Your sign-in code for northlab');
    expect(mail.text).not.toContain('It works once');
  });
});

describe('people who do not belong to the network', () => {
  test("get the default text, with the name of the product and without the network's name", async () => {
    const stranger = await makeUser(testApp.db, { network: 'southlab', email: 'stranger@southlab.org' });
    for (const kind of tokenKinds) {
      await store(kind, `<p>Words of northlab</p><a href="${setPassword}">Go</a>`);
      const values = { site: 'northlab says https://evil.example', state: 'northlab', relay_state: 'northlab' };
      const mails = [
        await render(kind),
        await render(kind, stranger.email, values),
        await render(kind, 'nobody@nowhere.example', values),
      ];
      expect(mails.map(({ to }) => to)).toEqual([member.email, stranger.email, 'nobody@nowhere.example']);
      expect(mails.map(({ text }) => text.includes('Words of northlab'))).toEqual([true, false, false]);
      for (const mail of mails.slice(1)) {
        expect(`${mail.subject} ${mail.text} ${mail.html}`).not.toMatch(/northlab|evil/);
        expect(mail.subject).toMatch(/OpenSocial$/);
        expectSecretsStay(mail, mail.to);
        expect(mail.text.split('\n')).toContain(ownLink(mail.to));
      }
    }
  });

  test('are not told its name if somebody signs up with their address', async () => {
    const stranger = await makeUser(testApp.db, { network: 'southlab', email: 'known@southlab.org' });
    await setPolicy(testApp, { sign_up: 'Enable' });
    const [mail, ...more] = await ask('sign-up', { email: stranger.email, firstname: 'North', lastname: 'Lab' });
    expect([mail?.to, mail?.subject, more]).toEqual([stranger.email, 'You already have an account', []]);
    expect(`${mail?.text} ${mail?.html}`).not.toMatch(/northlab/i);
  });

  test('an address is compared without its case, and invited people belong to the network', async () => {
    await makeUser(testApp.db, { email: 'invited@northlab.org', status: 'NonConfirmed', password_hash: null });
    await store('invitation', '<p>Words of northlab</p>');
    expect((await render('invitation', 'Invited@Northlab.org')).text).toBe('Words of northlab');
  });

  test('are not reached by inviting them first: mails about their passwords and codes do not use its templates', async () => {
    const victim = await makeUser(testApp.db, { network: 'opensocial', owns: ['opensocial'], email: 'chief@main.org' });
    await makeUser(testApp.db, { email: victim.email, provisional: true, password_hash: null });
    await store('reset', `<p>Words of northlab</p><a href="${setPassword}">Go</a>`);
    await store('emailmfa', '<p>Words of northlab: {email_code}</p>');
    for (const kind of ['reset', 'emailmfa'] as const)
      expect((await render(kind, victim.email)).text).not.toContain('northlab');
  });
});

describe('the attack: a forgotten password on the page of another network', () => {
  test('results in the default text and one link, and no request of the victim reaches the tenant', async () => {
    const site = await makeSite(testApp.db);
    const provider = await ServiceProvider.of(testApp, site);
    const request = new URL(await provider.signInUrl());
    const victim = await makeUser(testApp.db, { network: 'opensocial', owns: ['opensocial'], email: 'boss@main.org' });
    for (const bad of [
      `${request.href}&RelayState={email}*{token}`,
      `{signup_from}/saml/northlab/start/${site.id}?RelayState={email}*{token}`,
      `{signup_from}/set-password/../saml/northlab/start/${site.id}?RelayState={email}*{token}`,
    ]) {
      await store('reset', `<p>Words of northlab</p><a href="${bad.replaceAll('&', '&amp;')}">Choose a password</a>`);
      const [mail] = (await ask('forgot', { email: victim.email })).filter(({ to }) => to === victim.email);
      if (!mail) throw new Error('No email was sent.');
      expect(mail.subject).toBe('A new password for OpenSocial');
      expect(`${mail.text} ${mail.html}`).not.toMatch(/northlab\/|Words of northlab|saml/);
      const links = attributesOf(mail).flatMap(({ name, value }) => (name === 'href' ? [value] : []));
      expect(links).toHaveLength(1);
      const link = new URL(links[0] ?? '');
      expect([link.origin, link.pathname, [...link.searchParams.keys()]]).toEqual([
        testOrigin,
        '/set-password',
        ['email', 'token'],
      ]);
      const clicked = await (await signInto(testApp.db, testApp.browser(), victim)).get(link.href);
      expect(clicked.form).toBeUndefined();
      expect(clicked.html).not.toContain(link.searchParams.get('token'));
    }
    const [after] = await testApp.db.select().from(users).where(eq(users.id, victim.id));
    expect(after?.password_hash).toBe(victim.password_hash);
  });
});

describe('owners are notified of a template that cannot be sent', () => {
  const bad = '<p>Words of northlab</p><a href="{signup_from}/saml/northlab/sso?{token}">Go</a>';
  const forgot = (email = member.email) => ask('forgot', { email });

  test('on the screen, for as long as it is true', async () => {
    await store('reset', bad);
    await store('emailmfa', '<p>{email_code}</p>');
    expect((await call(getTemplates, { params })).problems).toEqual({
      reset: expect.stringContaining("Use the 'Set your password' button or link") as string,
    });
    await save('reset', `<a href="${setPassword}">Go</a>`);
    expect((await call(getTemplates, { params })).problems).toEqual({});
  });

  test('by one mail when the server starts, until the template is saved again', async () => {
    const second = await makeUser(testApp.db, { owns: ['northlab'], email: 'second@northlab.org' });
    const start = () => mailsQueuedBy(testApp, () => reportTemplates(testApp.parts));
    await store('emailmfa', '<p>{email_code}</p>');
    await store('reset', bad);
    const notices = await start();
    expect(notices.map(({ to }) => to)).toEqual([owner.email, second.email]);
    expect(notices[0]?.subject).toBe('An email template of northlab cannot be sent');
    expect(notices[0]?.text).toContain('Password Reset');
    expect(notices[0]?.text).toContain(`${testOrigin}/sso-servers/northlab/email-templates`);
    expect(await start()).toEqual([]);

    await save('reset', `<a href="${setPassword}">Go</a>`);
    expect((await forgot()).map(({ text }) => text.startsWith('Go:'))).toEqual([true]);
    const rows = await testApp.db.select().from(emailTemplates);
    expect(rows.map(({ refused_at }) => refused_at)).toEqual([null, null]);
    expect(await start()).toEqual([]);
    await store('reset', bad);
    expect((await start()).map(({ to }) => to)).toEqual([owner.email, second.email]);
  });

  test('by one mail when it is switched on', async () => {
    await store('reset', bad);
    await testApp.db.update(emailTemplates).set({ in_use: false });
    expect(await mailsQueuedBy(testApp, () => reportTemplates(testApp.parts))).toEqual([]);
    const { use, switchMarker } = templateNames.reset;
    const turnOn = () =>
      call(updateTemplate, { params, body: { server: 'northlab', request: switchMarker, [use]: 'Yes' } });
    expect((await mailsQueuedBy(testApp, turnOn)).map(({ to }) => to)).toContain(owner.email);
    expect(await mailsQueuedBy(testApp, turnOn)).toEqual([]);
  });

  test('once, when several servers start at the same moment', async () => {
    await store('reset', bad);
    const queued = await mailsQueuedBy(testApp, () =>
      Promise.all(Array.from({ length: 6 }, () => reportTemplates(testApp.parts))),
    );
    expect(queued.filter(({ to }) => to === owner.email)).toHaveLength(1);
  });

  test('never by a send, which would reveal that somebody was mailed', async () => {
    await store('reset', bad);
    const letters = [...(await forgot()), ...(await forgot())];
    expect(letters.map(({ to }) => to)).toEqual([member.email, member.email]);
    for (const { text } of letters) expect(text).toContain('asked for a new password');

    await store('ex_user_invitation', '<p>{token}</p>');
    const known = await makeUser(testApp.db, { network: 'southlab' });
    const body = {
      email: known.email,
      firstname: 'Typed',
      lastname: 'Name',
      sso_server_id: north.id,
      signup_from: testOrigin,
      signup_server: 'northlab',
      groups: [],
    };
    const mails = await mailsQueuedBy(testApp, () => call(createUser, { body }));
    expect(mails.map(({ to }) => to)).toEqual([known.email]);
  });
});
