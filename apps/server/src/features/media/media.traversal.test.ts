import { writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeUser, signInto } from '../../testing/app/builders.ts';
import { buildTestApp } from '../../testing/app/test-app.ts';

const secret = 'what no image holds';
let port = 0;
let cookie = '';

beforeAll(async () => {
  const { app, dataDir, db, browser } = await buildTestApp();
  const owner = await signInto(db, browser(), await makeUser(db, { owns: ['northlab'] }));
  cookie = `opensocial_session=${owner.cookies.get('opensocial_session')}`;
  await writeFile(join(dataDir, 'secret'), secret);
  await app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = app.server.address() as AddressInfo);
});

/** Sends the path byte for byte, without the normalisation of a browser or client. */
const get = async (path: string) => {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ port, path, headers: { accept: 'image/*', cookie } }, resolve)
      .on('error', reject)
      .end();
  });
  return { status: answer.statusCode, body: await text(answer) };
};

/** Spellings of a path that leads out of a folder. */
const spellings = [
  '../secret',
  '../../secret',
  './../secret',
  '..',
  '.',
  '%2e%2e/secret',
  '%2e%2e%2fsecret',
  '..%2fsecret',
  '..%2Fsecret',
  '.%2e/secret',
  '%2e./secret',
  '%2E%2E%2Fsecret',
  '..%5csecret',
  '..%5Csecret',
  '..%5c..%5csecret',
  '....//secret',
  '....%2f%2fsecret',
  '..././secret',
  '..;/secret',
  '..%3b/secret',
  '%252e%252e%252fsecret',
  '..%252fsecret',
  '..%25252fsecret',
  '%25%32%65%25%32%65/secret',
  '/etc/passwd',
  '%2fetc%2fpasswd',
  '//etc/passwd',
  '%2f%2fetc%2fpasswd',
  'file:%2f%2f%2fetc%2fpasswd',
  'C:%5cWindows%5cwin.ini',
  '%00',
  '..%00/secret',
  'secret%00.png',
  '../secret%00.png',
  'a.png%2f..%2f..%2fsecret',
  'a.png/../../secret',
  '%ef%bc%8e%ef%bc%8e%ef%bc%8fsecret',
  '%e2%80%a5%2fsecret',
  '%e3%80%82%e3%80%82%2fsecret',
  '~%2fsecret',
  '$HOME%2fsecret',
  '%20..%2fsecret',
  '..%0d%0asecret',
  'media%2f..%2fsecret',
];

/** Bytes that are not valid text: such a path is refused before routing. */
const undecodable = ['%c0%ae%c0%ae%c0%afsecret', '%c0%2e%c0%2e/secret', '..%c0%afsecret', '%u002e%u002e%u2215secret'];

describe.for(['/server/sso/sso_images/image/', '/server/sso/icon_image/northlab/'])('under %s', (prefix) => {
  test.for(spellings)('does not find %s', async (spelling) => {
    const { status, body } = await get(prefix + spelling);
    expect(status).toBe(404);
    expect(body).not.toContain(secret);
  });

  test.for(undecodable)('refuses %s', async (spelling) => {
    const { status, body } = await get(prefix + spelling);
    expect(status).toBe(400);
    expect(body).not.toContain(secret);
  });
});
