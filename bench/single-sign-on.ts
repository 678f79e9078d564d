import { spawn } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { buildAuthnRequest, newSamlId, redirectUrl } from '@opensocial/saml';
import { demonstration, origin, password, people } from '../e2e/world.ts';

const seconds = 10;
const connections = 16;
const signaturesPerAnswer = 2;
const agent = new Agent({ keepAlive: true, maxSockets: connections });

type Answer = { status: number; body: string; cookies: string[]; location: string | undefined };

const fetchPage = (url: string, cookie = '', form?: Record<string, string>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = { cookie, ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) };
    const sent = request(url, { agent, method: form ? 'POST' : 'GET', headers }, (answer) => {
      const cookies = (answer.headers['set-cookie'] ?? []).map((line) => line.split(';')[0] ?? '');
      const {
        statusCode: status = 0,
        headers: { location },
      } = answer;
      resolve(text(answer).then((body) => ({ status, body, cookies, location })));
    });
    sent.on('error', reject);
    sent.end(form && new URLSearchParams(form).toString());
  });

/** A request as a service provider sends it, each with an id of its own. */
const requestUrl = (): string => {
  const location = `${origin}/saml/northlab/sso`;
  const xml = buildAuthnRequest({
    id: newSamlId(),
    issuer: `${demonstration}/metadata`,
    destination: location,
    acsUrl: `${demonstration}/acs`,
    issueInstant: new Date(),
  });
  return redirectUrl({ location, kind: 'SAMLRequest', xml });
};

const signIn = async (): Promise<string> => {
  const begun = await fetchPage(requestUrl());
  const browser = begun.cookies.join('; ');
  const page = await fetchPage(`${origin}${begun.location}`, browser);
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
  const done = await fetchPage(`${origin}${begun.location}`, browser, { csrf, email: people.ben.email, password });
  return done.cookies.find((cookie) => cookie.startsWith('identity=')) ?? '';
};

const rsaPerSecond = (): number => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const data = Buffer.alloc(1_000, 'a');
  const end = performance.now() + 3_000;
  let count = 0;
  for (; performance.now() < end; count += 1) sign('sha256', data, privateKey);
  return count / 3;
};

const answersPerSecond = async (cookie: string): Promise<number> => {
  const end = performance.now() + seconds * 1_000;
  let count = 0;
  const visitor = async () => {
    while (performance.now() < end) {
      const { status, body } = await fetchPage(requestUrl(), cookie);
      if (status !== 200 || !body.includes('SAMLResponse')) throw new Error(`A sign-on was answered ${status}.`);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, visitor));
  return count / seconds;
};

const rsa = rsaPerSecond();
const server = spawn(process.execPath, ['e2e/server.ts'], { stdio: 'inherit' });
try {
  const isReady = () =>
    fetchPage(`${demonstration}/`).then(
      ({ status }) => status === 200,
      () => false,
    );
  while (!(await isReady())) await pause(100);
  const cookie = await signIn();
  await Promise.all(Array.from({ length: 200 }, () => fetchPage(requestUrl(), cookie)));
  const answers = await answersPerSecond(cookie);
  const ratio = (answers * signaturesPerAnswer) / rsa;
  console.log(
    `single sign-on: ${answers.toFixed(0)}/s; RSA-2048 signatures: ${rsa.toFixed(0)}/s on one core; ${ratio.toFixed(2)} of its limit`,
  );
} finally {
  agent.destroy();
  server.kill('SIGTERM');
}
