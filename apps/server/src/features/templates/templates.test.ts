import {
  type ApiError,
  createUser,
  getTemplates,
  getTemplateVersion,
  getTemplateVersions,
  sendTestMail,
  TemplateKind,
  templateNames,
  updateTemplate,
} from '@opensocial/contract';
import {
  defaultDesigns,
  mailStyles,
  mergeTags,
  renderDesign,
  sampleValues,
  secretOf,
  textTagsOf,
} from '@opensocial/contract/mail';
import { desc } from 'drizzle-orm';
import { fromHtml } from 'hast-util-from-html';
import { beforeAll, describe, expect, test } from 'vitest';
import { auditRecords, emailTemplates } from '../../database/schema.ts';
import { startWorker } from '../../jobs/worker.ts';
import { openAcceptedMails } from '../../mail/accepted-mails.ts';
import { sendMailTask } from '../../mail/mail.jobs.ts';
import { readMailMarkup } from '../../mail/mail-markup.ts';
import { createMailer, type Mailer } from '../../mail/mailer.ts';
import { type Element, eachElement, writeHtml } from '../../markup/html.ts';
import { makeImage, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { testOrigin } from '../../testing/app/test-parts.ts';
import { markupAttacks, valueAttacks } from '../../testing/payloads/mail-attacks.ts';
import { startMailServer } from '../../testing/services/mail-server.ts';
import { sendInvitationTask } from '../users/users.jobs.ts';
import { readTemplateFields, renderNetworkMail } from './templates.service.ts';

let testApp: TestApp;
let server: Awaited<ReturnType<typeof startMailServer>>;
let mailer: Mailer;
let owner: Awaited<ReturnType<typeof makeUser>>;
let call: ReturnType<TestApp['as']>;
let north: Awaited<ReturnType<typeof networkNamed>>;
beforeAll(async () => {
  server = await startMailServer();
  testApp = await buildTestApp({ SMTP_URL: server.url });
  mailer = createMailer(testApp.parts.config, testApp.parts.log);
  north = await networkNamed(testApp.db, 'northlab');
  owner = await makeUser(testApp.db, { owns: ['northlab'] });
  call = testApp.as(await signInto(testApp.db, testApp.browser(), owner));
  await makeUser(testApp.db, { email: recipient.email });
});

const params = { server: 'northlab' };
const design = { type: 'doc', content: [] };
const put = (body: Record<string, unknown>) =>
  call(updateTemplate, { params, body: { server: 'northlab', ...body } as never });
const save = (kind: TemplateKind, html: string) => {
  const { field, updateMarker } = templateNames[kind];
  return put({ request: updateMarker, [field]: JSON.stringify({ design, html }) });
};
const use = (kind: TemplateKind, flag: 'Yes' | 'No') =>
  put({ request: templateNames[kind].switchMarker, [templateNames[kind].use]: flag });

const recipient = {
  user_name: 'Bea Ito',
  email: 'bea+lab@northlab.org',
  token: 'tok/en=1',
  email_code: '424242',
  state: 'st&te',
  relay_state: 'https://b.example/?a=1',
};
const render = (kind: TemplateKind, given = recipient) =>
  renderNetworkMail(testApp.db, testApp.parts, north, kind, given);

/** Renders as every sender does, and actually sends. */
const deliver = async (kind: TemplateKind) => {
  await mailer.send(await render(kind));
  return arrivedFor(recipient.email);
};

const arrivedFor = (email: string) => {
  const arrived = server.received.findLast(({ to }) => to.includes(email));
  if (!arrived) throw new Error('Nothing has arrived.');
  return { ...arrived, html: arrived.mail.html ?? '', text: arrived.mail.text ?? '' };
};

/** The elements of a mail's body, in order, as a browser parses them. The only stylesheet of a mail is our own. */
const elementsOf = (html: string) => {
  const elements: Pick<Element, 'tagName' | 'properties'>[] = [];
  eachElement(
    fromHtml(html.replace(`<style>${mailStyles}</style>`, ''), { fragment: true }),
    ({ tagName, properties }) => {
      if (!/^(?:html|head|body|meta|title)$/.test(tagName)) elements.push({ tagName, properties });
    },
  );
  return elements;
};

const headers = ['content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'];
const expectOneLetter = ({ to, mail }: ReturnType<typeof arrivedFor>, email = recipient.email) => {
  expect(to).toEqual([email]);
  expect(mail.to).toEqual([{ name: '', address: email }]);
  expect(mail.headers.map(({ key }) => key).toSorted()).toEqual(headers);
};

describe('§7.8 PUT update_template', () => {
  test('nothing is saved or used at first, and mail is sent by SMTP', async () => {
    const fields = Object.values(templateNames).flatMap(({ field, use: flag }) => [
      [field, ''],
      [flag, 'No'],
    ]);
    expect(await call(getTemplates, { params })).toEqual({
      ...Object.fromEntries(fields),
      delivery: 'smtp',
      origin: testOrigin,
      problems: {},
    });
  });

  test.for(TemplateKind.options)('%s is saved, used and read back', async (kind) => {
    const { field, use: flag } = templateNames[kind];
    expect(await save(kind, '<p>Hello {user_name}, {nobody} and {{who}}</p>')).toEqual({
      message: 'Your request successfully updated',
      unknown_tags: ['nobody', 'who'],
      left_out: 0,
    });
    await use(kind, 'Yes');
    const fields = await readTemplateFields(testApp.db, north.id);
    expect(fields[flag]).toBe('Yes');
    expect(JSON.parse(fields[field])).toEqual({ design, html: '<p>Hello {user_name}, {nobody} and {{who}}</p>' });
    await use(kind, 'No');
    expect((await readTemplateFields(testApp.db, north.id))[flag]).toBe('No');
  });

  test('the markers are those of the specification', () => {
    expect(templateNames.signup).toMatchObject({ updateMarker: 'update_signup_temp', switchMarker: 'signup_swtich' });
  });

  const value = JSON.stringify({ design, html: 'x' });
  test.for([
    {},
    { request: 'update_signup_temp' },
    { request: 'signup_swtich', signup_temp: value },
    { request: 'update_signup_temp', reset_temp: value },
    { request: 'update_signup_temp', signup_temp: value, reset_temp: value },
    { request: 'update_signup_temp', signup_temp: value, use_signup_temp: 'Yes' },
    { request: 'update_signup_temp', signup_temp: value, network_id: 1 },
    { request: 'update_in_use', in_use: true },
    { request: 'update_html', html: 'x' },
    { request: '__proto__', signup_temp: value },
    { request: 'signup_swtich', use_signup_temp: 'yes' },
    { request: 'signup_swtich', use_signup_temp: true },
    { request: 'update_signup_temp', signup_temp: 'just words' },
    { request: 'update_signup_temp', signup_temp: '{"html":"x"}' },
    { request: 'update_signup_temp', signup_temp: '{"design":[],"html":"x"}' },
    { request: 'update_signup_temp', signup_temp: { design, html: 'x' } },
  ])('refuses %j', async (body) => {
    await expect(put(body)).rejects.toMatchObject({ status: 400 });
  });

  test('the network in the body must be the one of the path', async () => {
    const body = { server: 'southlab', request: 'signup_swtich', use_signup_temp: 'Yes' } as const;
    await expect(call(updateTemplate, { params, body })).rejects.toMatchObject({ status: 404 });
  });

  test('more than 1 MiB is refused, and markup of more than 100 KB, also if sanitizing makes it so', async () => {
    const tooLarge = { status: 413, code: 'too_large', message: expect.stringContaining('100 KB') as string };
    await expect(save('signup', 'x'.repeat(1024 * 1024))).rejects.toMatchObject({ status: 413 });
    await expect(save('signup', 'x'.repeat(100 * 1024 + 1))).rejects.toMatchObject(tooLarge);
    await expect(save('signup', '<a><p>'.repeat(8_000))).rejects.toMatchObject(tooLarge);
    await expect(save('signup', '<div>'.repeat(15_000))).rejects.toMatchObject({ code: 'template_refused' });
    await save('signup', 'x'.repeat(100 * 1024));
  });

  test('§2.11 a design that is nested too deeply is refused, also in a test mail', async () => {
    const nested = (depth: number) =>
      `{"design":{"type":"doc","content":[${'{"content":['.repeat(depth)}${']}'.repeat(depth)}]},"html":"<p>x</p>"}`;
    const refused = { code: 'template_refused', message: 'The blocks of the design are nested too deeply.' };
    for (const depth of [1_000, 3_000, 60_000]) {
      const template = nested(depth);
      await expect(put({ request: 'update_signup_temp', signup_temp: template })).rejects.toMatchObject(refused);
      await expect(call(sendTestMail, { params, body: { kind: 'signup', template } })).rejects.toMatchObject(refused);
    }
    const inMarks = `{"design":{"type":"doc","attrs":${'['.repeat(5_000)}${']'.repeat(5_000)}},"html":"<p>x</p>"}`;
    await expect(put({ request: 'update_signup_temp', signup_temp: inMarks })).rejects.toMatchObject(refused);
    await put({ request: 'update_signup_temp', signup_temp: nested(100) });
  });

  test('the default mails, and the designs that the editor starts with, are far smaller', () => {
    for (const kind of TemplateKind.options)
      expect(renderDesign(defaultDesigns[kind], { origin: testOrigin }).length).toBeLessThan(10_000);
  });

  test('larger markup that is already stored is not parsed: the default text is sent, and the screen explains it', async () => {
    const html = `<p>Ours</p>${'<p style="color:#000000">x</p>'.repeat(30_000)}`;
    const row = { network_id: north.id, kind: 'signup', html, in_use: true } as const;
    const target = [emailTemplates.network_id, emailTemplates.kind];
    await testApp.db.insert(emailTemplates).values(row).onConflictDoUpdate({ target, set: row });
    expect((await render('signup')).text).not.toContain('Ours');
    expect((await call(getTemplates, { params })).problems.signup).toContain('100 KB');
    await save('signup', '<p>Short</p>');
  });

  test('is audited, with the previous markup', async () => {
    await save('reset', '<p>one</p>');
    await save('reset', '<p>two</p>');
    const [record] = await testApp.db.select().from(auditRecords).orderBy(desc(auditRecords.id)).limit(1);
    expect(record).toMatchObject({
      actor: owner.email,
      description: 'update email template reset',
      old_data: { html: '<p>one</p>', subject: null },
      new_data: { html: '<p>two</p>', subject: null },
    });
  });

  test('old text that is no design is returned as it is', async () => {
    const row = {
      network_id: (await networkNamed(testApp.db, 'southlab')).id,
      kind: 'signup',
      html: 'Old {email}',
    } as const;
    await testApp.db.insert(emailTemplates).values(row);
    expect((await readTemplateFields(testApp.db, row.network_id)).signup_temp).toBe('Old {email}');
  });

  test('images must be in the media library, and get absolute URLs', async () => {
    const { name } = await makeImage(testApp.db);
    const image = `${testOrigin}/server/sso/sso_images/image/${name}`;
    const html = `<img src="/server/sso/sso_images/image/${name}" alt="Logo"><img src="https://b.example/a.png"><img src="${testOrigin}/server/saml/logout">`;
    expect(await save('resend', html)).toMatchObject({ left_out: 2 });
    const { resend_temp } = await readTemplateFields(testApp.db, north.id);
    expect((JSON.parse(resend_temp) as { html: string }).html).toBe(`<img src="${image}" alt="Logo">`);
  });

  test('a deleted or foreign image is refused in markup and design, also in a test mail', async () => {
    const south = await makeImage(testApp.db, { network: 'southlab' });
    const southIcon = await makeImage(testApp.db, { network: 'southlab', kind: 'icon' });
    const refused = {
      code: 'template_refused',
      message: expect.stringContaining('not in the media library') as string,
    };
    const addresses = [
      `/server/sso/sso_images/image/${'a'.repeat(40)}.png`,
      `${testOrigin}/server/sso/sso_images/image/${south.name}`,
      `/server/sso/icon_image/southlab/${southIcon.name}`,
      `/server/sso/icon_image/northlab/${southIcon.name}`,
    ];
    for (const src of addresses) {
      await expect(save('resend', `<img src="${src}">`)).rejects.toMatchObject(refused);
      const shown = { type: 'doc', content: [{ type: 'section', content: [{ type: 'mailImage', attrs: { src } }] }] };
      const template = JSON.stringify({ design: shown, html: '<p>x</p>' });
      await expect(put({ request: 'update_resend_temp', resend_temp: template })).rejects.toMatchObject(refused);
      await expect(call(sendTestMail, { params, body: { kind: 'resend', template } })).rejects.toMatchObject(refused);
    }
    const icon = await makeImage(testApp.db, { kind: 'icon' });
    // Of this network, but at a URL where it cannot be found.
    await expect(save('resend', `<img src="/server/sso/icon_image/southlab/${icon.name}">`)).rejects.toMatchObject(
      refused,
    );
    await save('resend', `<img src="/server/sso/icon_image/northlab/${icon.name}">`);
  });
});

describe('§2.11 the subject of a template', () => {
  const saveWith = (kind: TemplateKind, subject: string) => {
    const { field, updateMarker } = templateNames[kind];
    return put({ request: updateMarker, [field]: JSON.stringify({ design, html: '<p>Ours</p>', subject }) });
  };

  test('is sent with its values while the template is used; otherwise the default is sent', async () => {
    expect(await saveWith('signup', ' Welcome to {site}, {user_name} {nobody} ')).toMatchObject({
      unknown_tags: ['nobody'],
    });
    const { signup_temp } = await readTemplateFields(testApp.db, north.id);
    expect(JSON.parse(signup_temp)).toMatchObject({ subject: 'Welcome to {site}, {user_name} {nobody}' });
    await use('signup', 'No');
    expect((await render('signup')).subject).toBe('Confirm your account on northlab');
    await use('signup', 'Yes');
    const named = { ...recipient, user_name: 'Bea\r\nBcc:\u202e mal@b.example\u2066 {email_code}' };
    expect((await render('signup', named)).subject).toBe(
      'Welcome to northlab, Bea Bcc:  mal@b.example  {email_code} {nobody}',
    );
    const stranger = { ...recipient, email: 'stranger@b.example' };
    expect((await render('signup', stranger)).subject).toBe('Confirm your account on OpenSocial');
    await saveWith('signup', '');
    expect((await render('signup')).subject).toBe('Confirm your account on northlab');
    expect(JSON.parse((await readTemplateFields(testApp.db, north.id)).signup_temp)).not.toHaveProperty('subject');
    await use('signup', 'No');
  });

  test.for(['{token}', 'Code {{ email_code }}'])('contains no secret: %s', async (subject) => {
    for (const kind of ['signup', 'emailmfa'] as const)
      await expect(saveWith(kind, subject)).rejects.toMatchObject({
        code: 'template_refused',
        message: expect.stringContaining('The subject cannot contain') as string,
      });
  });

  test.for(['two\nlines', 'turned \u202etxt.exe', 'x'.repeat(151)])('is one short line: %j', async (subject) => {
    await expect(saveWith('signup', subject)).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/^(?:A subject|Enter at most 150) /) as string,
    });
  });
});

describe('§2.11 the versions of a template', () => {
  const list = (kind: TemplateKind) => call(getTemplateVersions, { params: { ...params, kind } });

  test('each saved version is kept with its author and time, newest first, and can be read again', async () => {
    const kind = 'ex_user_invitation';
    await save(kind, '<p>First</p>');
    await save(kind, '<p>Second</p>');
    await save(kind, '<p>Second</p>');
    const [second, first] = await list(kind);
    expect(first).toMatchObject({ saved_by: owner.email });
    expect(second?.id).toBeGreaterThan(first?.id ?? 0);
    const read = async (id = 0) => (await call(getTemplateVersion, { params: { ...params, id } })).template;
    expect(JSON.parse(await read(first?.id))).toEqual({ design, html: '<p>First</p>' });
    expect(JSON.parse(await read(second?.id))).toEqual({ design, html: '<p>Second</p>' });
  });

  test('the last thirty are kept; switching adds none', async () => {
    for (let number = 1; number <= 32; number += 1) await save('emailmfa', `<p>${number}</p>`);
    const before = await list('emailmfa');
    expect(before).toHaveLength(30);
    await use('emailmfa', 'Yes');
    await use('emailmfa', 'No');
    expect(await list('emailmfa')).toEqual(before);
  });

  test('security: an owner of another network can read neither the list nor a version by its id', async () => {
    await save('reset', '<p>Of northlab</p>');
    const [version] = await list('reset');
    const other = await makeUser(testApp.db, { network: 'southlab', owns: ['southlab'] });
    const southern = testApp.as(await signInto(testApp.db, testApp.browser(), other));
    const missing = { status: 404 };
    await expect(
      southern(getTemplateVersions, { params: { server: 'northlab', kind: 'reset' } }),
    ).rejects.toMatchObject(missing);
    await expect(
      southern(getTemplateVersion, { params: { server: 'southlab', id: version?.id ?? 0 } }),
    ).rejects.toMatchObject(missing);
  });
});

describe('§2.11 mail', () => {
  test.for(TemplateKind.options)('the default %s arrives with its values, as HTML and as text', async (kind) => {
    await use(kind, 'No');
    const arrived = await deliver(kind);
    expectOneLetter(arrived);
    expect(arrived.mail.subject).toContain('northlab');
    const link = `${testOrigin}/set-password?email=bea%2Blab%40northlab.org&token=tok%2Fen%3D1`;
    const needed = { token: link, email_code: '424242', none: `${testOrigin}/profile` }[secretOf[kind] ?? 'none'];
    expect(arrived.text).toContain(needed);
    expect(arrived.html).toContain(needed.replaceAll('&', '&amp;'));
    expect(arrived.html).not.toMatch(/\{\w+\}/);
    expect(arrived.text).not.toMatch(/[{}<>]/);
  });

  test.for(TemplateKind.options)('the markup of the default %s is unchanged by sanitizing', (kind) => {
    const html = renderDesign(defaultDesigns[kind], { origin: testOrigin });
    const { tree, unknownTags, leftOut } = readMailMarkup(html, kind, testOrigin);
    const read = (markup: string) => writeHtml(readMailMarkup(markup, kind, testOrigin).tree);
    expect(read(writeHtml(tree))).toBe(writeHtml(tree));
    expect([unknownTags, leftOut]).toEqual([[], 0]);
    expect(elementsOf(writeHtml(tree))).toEqual(elementsOf(html));
  });

  test.for(TemplateKind.options)("the network's %s is sent while it is switched on", async (kind) => {
    const values = { ...recipient, site: 'northlab', signup_from: testOrigin };
    const tags = textTagsOf(kind);
    expect(mergeTags.filter((tag) => !tags.includes(tag))).toEqual(
      kind === 'emailmfa' ? ['token'] : ['token', 'email_code'],
    );
    const all = tags.map((tag) => `${tag}=[ {${tag}} ]`).join(' ');
    await save(
      kind,
      `<h1>Ours</h1><p>${all} {nobody}</p><ul><li>One</li></ul><a href="{signup_from}/profile?e={email}&s={state}&r={relay_state}">Go</a>`,
    );
    expect((await deliver(kind)).html).not.toContain('Ours');
    await use(kind, 'Yes');
    const arrived = await deliver(kind);
    await use(kind, 'No');
    expectOneLetter(arrived);
    const filled = `${tags.map((tag) => `${tag}=[ ${values[tag]} ]`).join(' ')} {nobody}`;
    const link = `${testOrigin}/profile?e=bea%2Blab%40northlab.org&s=st%26te&r=https%3A%2F%2Fb.example%2F%3Fa%3D1`;
    expect(arrived.text.trim()).toBe(`Ours\n\n${filled}\n\n- One\n\nGo:\n${link}`);
    expect(arrived.html).toContain(`<p>${filled.replaceAll('&', '&amp;')}</p>`);
    expect(arrived.html).toContain(`href="${link.replaceAll('&', '&amp;')}"`);
  });

  test.for(valueAttacks)('a value stays text: %j', async (hostile) => {
    await save(
      'signup',
      '<p title="{user_name}">{user_name} {site}</p><a href="{signup_from}/?n={user_name}" title="{state}">x</a>',
    );
    await use('signup', 'Yes');
    const given = { ...recipient, user_name: hostile, site: hostile, state: hostile, token: 'the-secret' };
    await mailer.send(await render('signup', given));
    const arrived = arrivedFor(recipient.email);
    expectOneLetter(arrived);
    expect(arrived.html).not.toContain('the-secret');
    const address = `${testOrigin}/?n=${encodeURIComponent(hostile.toWellFormed())}`;
    expect(elementsOf(arrived.html)).toMatchObject([
      { tagName: 'p', properties: {} },
      { tagName: 'a', properties: { href: address } },
    ]);
  });

  test('a template that became invalid because PUBLIC_URL changed is replaced by the default text', async () => {
    await save('reset', `<p>Ours</p><a href="${testOrigin}/set-password?email={email}&token={token}">x</a>`);
    await use('reset', 'Yes');
    const config = { ...testApp.parts.config, publicUrl: 'https://moved.example' };
    const mail = await renderNetworkMail(testApp.db, { ...testApp.parts, config }, north, 'reset', recipient);
    expect(mail.text).toContain('https://moved.example/set-password?');
    expect(mail.text).not.toContain('Ours');
  });

  test("an invitation from the users screen uses the network's template", async () => {
    const worker = await startWorker(testApp.pool, {
      tasks: {
        send_mail: sendMailTask(mailer, openAcceptedMails(testApp.dataDir), testApp.parts.vault, testApp.db),
        send_invitation: sendInvitationTask(testApp.parts),
      },
      sweep: async () => undefined,
      log: testApp.parts.log,
    });
    const before = server.received.length;
    await save(
      'invitation',
      '<p>Welcome, {user_name}</p><a href="{signup_from}/set-password?email={email}&token={token}">Go</a>',
    );
    await use('invitation', 'Yes');
    await save('ex_user_invitation', '<p>You too, {user_name}</p>');
    await use('ex_user_invitation', 'Yes');
    const known = await makeUser(testApp.db, { network: 'southlab', email: 'known@southlab.org' });
    for (const email of ['new@northlab.org', known.email])
      await call(createUser, {
        body: {
          email,
          firstname: 'Cleo',
          lastname: 'Diaz',
          sso_server_id: north.id,
          signup_from: testOrigin,
          signup_server: 'northlab',
          groups: [],
        },
      });
    await server.untilReceived(before + 2);
    await worker.stop();
    const textFor = (email: string) => server.received.findLast(({ to }) => to.includes(email))?.mail.text ?? '';
    expect(textFor('new@northlab.org')).toMatch(
      /^Welcome, Cleo Diaz\s+Go:\s+http:\/\/localhost:8080\/set-password\?email=new%40northlab.org&token=[\w-]{40}\s*$/,
    );
    expect(textFor(known.email).trim()).toBe('You too, Cleo Diaz');
  });
});

describe('security: untrusted markup', () => {
  test('has more than a hundred examples', () => expect(markupAttacks.length).toBeGreaterThan(100));

  const address = /^https:\/\/b\.example|^http:\/\/localhost:8080\//;
  const style = /^(?:color:red|font:15px x|background:#fff)$/;
  const allowed: Record<string, RegExp> = { href: address, src: address, style, title: /./, alt: /./, lang: /./ };
  const addressOf = (html: string) => `attack-${markupAttacks.indexOf(html)}@northlab.org`;
  beforeAll(async () => {
    await use('emailmfa', 'Yes');
    const mails = [];
    for (const html of markupAttacks) {
      await save('emailmfa', `<p>Kept</p>${html}`);
      await makeUser(testApp.db, { email: addressOf(html) });
      mails.push(await render('emailmfa', { ...recipient, email: addressOf(html) }));
    }
    // In parallel, because the mail server delays each sender a little.
    await Promise.all(mails.map((mail) => mailer.send(mail)));
  });

  test.for(markupAttacks)('%s', (html) => {
    const arrived = arrivedFor(addressOf(html));
    expectOneLetter(arrived, addressOf(html));
    expect(arrived.text).toContain('Kept');
    for (const { tagName, properties } of elementsOf(arrived.html)) {
      expect(['p', 'a', 'table', 'tbody', 'tr', 'td', 'img']).toContain(tagName);
      for (const [name, value] of Object.entries(properties)) expect(value).toMatch(allowed[name] ?? /^$/);
    }
  });
});

describe('§2.11 a test mail', () => {
  const template = JSON.stringify({
    design,
    html: '<p>{user_name} {email}</p><a href="{signup_from}/set-password?email={email}&token={token}">Go</a>',
  });

  test('is sent to the caller alone, with sample values for secrets, and is throttled', async () => {
    const worker = await startWorker(testApp.pool, {
      tasks: {
        send_mail: sendMailTask(mailer, openAcceptedMails(testApp.dataDir), testApp.parts.vault, testApp.db),
        send_invitation: sendInvitationTask(testApp.parts),
      },
      sweep: async () => undefined,
      log: testApp.parts.log,
    });
    const before = server.received.length;
    const send = () => call(sendTestMail, { params, body: { kind: 'reset', template } });
    expect(await send()).toEqual({ message: `A test is on its way to ${owner.email}.` });
    await server.untilReceived(before + 1);
    await worker.stop();
    const arrived = server.received.at(-1);
    const { token } = sampleValues(testOrigin, 'northlab');
    expect(arrived).toMatchObject({ to: [owner.email], mail: { subject: 'Test: A new password for northlab' } });
    const link = `${testOrigin}/set-password?${new URLSearchParams({ email: owner.email, token })}`;
    expect(arrived?.mail.text?.trim()).toBe(`Ana Moreno ${owner.email}\n\nGo:\n${link}`);
    const again = await Promise.allSettled(Array.from({ length: 12 }, send));
    const refused = again.flatMap((one) => (one.status === 'rejected' ? [one.reason as ApiError] : []));
    expect(refused.length).toBeGreaterThan(1);
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
  });

  test('accepts no address', async () => {
    const body = { kind: 'reset', template, to: 'evil@evil.example' } as never;
    await expect(call(sendTestMail, { params, body })).rejects.toMatchObject({ status: 400 });
  });
});
