import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { sampleValues } from '@opensocial/contract/mail';
import { pino } from 'pino';
import PostalMime from 'postal-mime';
import { beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { makeDataFolder } from '../testing/machine/data-folder.ts';
import { startMailServer } from '../testing/services/mail-server.ts';
import { createMailer, type Mailer } from './mailer.ts';
import { message } from './messages.ts';

const link = 'https://sso.example.org/set-password?email=ana%40northlab.org&token=the-token';

/** The default invitation, with the values that make up the link. */
const invitation = ({ network, link: wanted }: { network: string; link: string }) => {
  const [, token = ''] = wanted.split('token=');
  return message('invitation', {
    ...sampleValues('https://sso.example.org', network),
    email: 'ana@northlab.org',
    token,
  });
};
const mail = { to: 'ana@northlab.org', ...invitation({ network: 'northlab', link }) };

describe('by SMTP', () => {
  let server: Awaited<ReturnType<typeof startMailServer>>;
  let mailer: Mailer;
  beforeAll(async () => {
    server = await startMailServer();
    const config = readConfig({ SMTP_URL: server.url, MAIL_FROM: 'Northlab <sso@northlab.org>' });
    mailer = createMailer(config, createLog('silent'));
  });

  const deliver = async (sent: typeof mail) => {
    await mailer.send(sent);
    const arrived = server.received.at(-1);
    if (!arrived) throw new Error('Nothing has arrived.');
    return arrived;
  };

  test('an invitation arrives at one address, as text and as HTML', async () => {
    const arrived = await deliver(mail);
    expect(arrived).toMatchObject({ from: 'sso@northlab.org', to: ['ana@northlab.org'] });
    expect(arrived.mail).toMatchObject({
      subject: 'Your account on northlab',
      from: { name: 'Northlab', address: 'sso@northlab.org' },
      to: [{ address: 'ana@northlab.org' }],
    });
    expect(arrived.mail.text).toContain(link);
    expect(arrived.mail.html).toContain(`href="${link.replace('&', '&amp;')}"`);
    expect(arrived.mail.cc).toBeUndefined();
  });

  test.for([
    'northlab\r\nBcc: evil@evil.example',
    'northlab\nX-Injected: yes\n\nA body of my own',
    'northlab\r\n\r\n<b>page</b>',
    'northlab\u2028Bcc: evil@evil.example',
    '\r\nTo: evil@evil.example',
  ])('a name with line breaks cannot add headers: %j', async (network) => {
    const arrived = await deliver({ to: mail.to, ...invitation({ network, link }) });
    expect(arrived.to).toEqual(['ana@northlab.org']);
    const names = arrived.mail.headers.map(({ key }) => key).toSorted();
    expect(names).toEqual(['content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to']);
    expect(arrived.mail.to).toEqual([{ name: '', address: 'ana@northlab.org' }]);
    expect(arrived.mail.html).not.toContain('<b>page</b>');
  });

  test('markup in a name stays text', async () => {
    const { mail: arrived } = await deliver({
      to: mail.to,
      ...invitation({ network: '<img src=x onerror=alert(1)>&amp;"', link: `${link}"><script>alert(1)</script>` }),
    });
    expect(arrived.subject).toBe('Your account on <img src=x onerror=alert(1)>&amp;"');
    expect(arrived.html).not.toMatch(/<img|<script/);
  });

  test.for(['ana@northlab.org, evil@evil.example', 'ana@northlab.org>\r\nRCPT TO:<evil@evil.example', 'Ana <a@b.org>'])(
    'an address is never read as several: %j',
    async (to) => {
      const before = server.received.length;
      await mailer.send({ ...mail, to }).catch(() => undefined);
      const arrived = server.received.slice(before).flatMap((each) => each.to);
      expect(arrived.length).toBeLessThanOrEqual(1);
      expect(arrived).not.toContain('evil@evil.example');
    },
  );

  test('a refusal is an error, so that the queue keeps the mail', async () => {
    server.refuse(1);
    await expect(mailer.send(mail)).rejects.toThrow('Try again later');
  });
});

describe('without SMTP', () => {
  test('a mail is saved in the outbox, readable only by us, and the log says where, without its text', async () => {
    const folder = await makeDataFolder();
    const lines: string[] = [];
    const log = pino(
      new Writable({
        write: (line: Buffer, _encoding, done) => {
          lines.push(line.toString());
          done();
        },
      }),
    );
    await createMailer(readConfig({ DATA_DIR: folder }), log).send(mail);
    const outbox = join(folder, 'outbox');
    const [name = '', ...others] = await readdir(outbox);
    expect(others).toEqual([]);
    expect(name).toMatch(/\.eml$/);
    expect((await stat(outbox)).mode & 0o777).toBe(0o700);
    expect((await stat(join(outbox, name))).mode & 0o777).toBe(0o600);
    const kept = await PostalMime.parse(await readFile(join(outbox, name)));
    expect(kept).toMatchObject({ subject: 'Your account on northlab', to: [{ address: 'ana@northlab.org' }] });
    expect(kept.text).toContain(link);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(name);
    expect(lines[0]).not.toContain('the-token');
  });
});
