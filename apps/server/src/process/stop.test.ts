import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { platform } from 'node:os';
import { join } from 'node:path';
import { getSession } from '@opensocial/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { browserAt, callerOf, signIn } from '../testing/app/over-http.ts';
import { testOrigin } from '../testing/app/test-parts.ts';
import { makeDataFolder, postgresProcessesOf, postmasterOf, untilStopped } from '../testing/machine/data-folder.ts';
import { eventually } from '../testing/machine/eventually.ts';
import { allowForStarts, ServerProcess } from '../testing/machine/server-process.ts';

allowForStarts();

const owner = { email: 'head@northlab.org', password: 'correct horse battery staple' };
let folder: string;
let environment: Record<string, string>;
beforeAll(async () => {
  folder = await makeDataFolder();
  environment = {
    DATA_DIR: folder,
    PUBLIC_URL: testOrigin,
    FIRST_OWNER_EMAIL: owner.email,
    FIRST_OWNER_PASSWORD: owner.password,
  };
});

const stopped = { code: 0, signal: null };

/** A request that the server has begun to read, with a body that is not complete yet. */
const beginRequest = async (server: ServerProcess) => {
  const body = JSON.stringify({ email: 'a@b.org', code: 'never issued' });
  const asked = request(`${server.address}/prxy/api/user/verify_token`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': body.length,
      'sec-fetch-site': 'same-origin',
      expect: '100-continue',
    },
  });
  const answered = once(asked, 'response') as Promise<[{ statusCode: number; headers: object }]>;
  asked.flushHeaders();
  await once(asked, 'continue');
  return { finish: () => asked.end(body), answered };
};

describe('a server', () => {
  test('that gets a stop signal finishes requests in progress, accepts no new ones, and stops PostgreSQL', async () => {
    const server = await ServerProcess.start(environment);
    const { finish, answered } = await beginRequest(server);
    const ended = server.kill('SIGTERM');
    await eventually(async () => {
      await expect(fetch(`${server.address}/healthz`)).rejects.toThrow('fetch failed');
    });
    finish();
    const [{ statusCode }] = await answered;
    expect(statusCode).toBe(404);
    expect(await ended).toEqual(stopped);
    expect(await postmasterOf(folder)).toBeUndefined();
    expect(server.stderr).toBe('');
  });

  test('answers for the time of SHUTDOWN_DELAY, while load balancers learn that it stops', async () => {
    const server = await ServerProcess.start({ ...environment, SHUTDOWN_DELAY: '8' });
    const ended = server.kill('SIGTERM');
    await eventually(async () => {
      const ready = await fetch(`${server.address}/readyz`);
      expect(ready.status).toBe(503);
      expect(await ready.json()).toMatchObject({ database: 'ok', draining: true });
    });
    const answer = await fetch(`${server.address}/server/getsession`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('connection')).toBe('close');
    expect(await ended).toEqual(stopped);
  });

  test('does not wait forever for a request that never ends', async () => {
    const server = await ServerProcess.start(environment);
    const { hostname, port } = new URL(server.address);
    const slow = connect(Number(port), hostname);
    slow.on('error', () => undefined);
    slow.write(
      'POST /prxy/api/user/verify_token HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\nexpect: 100-continue\r\n\r\n',
    );
    await once(slow, 'data');
    const begun = performance.now();
    expect(await server.kill('SIGHUP')).toEqual(stopped);
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(await postmasterOf(folder)).toBeUndefined();
  });

  test('that gets a stop signal during its start leaves nothing running', async () => {
    const server = new ServerProcess(environment);
    await eventually(() => access(join(folder, 'postgres', 'postmaster.pid')), 5);
    expect(await server.kill('SIGTERM')).toEqual(stopped);
    await untilStopped(folder);
  });

  test.runIf(platform() === 'linux')(
    'that cannot stop in time, because PostgreSQL does not answer, still tells it to stop',
    async () => {
      const server = await ServerProcess.start(environment);
      const processes = await postgresProcessesOf(folder);
      expect(processes.length).toBeGreaterThan(5);
      for (const pid of processes) process.kill(pid, 'SIGSTOP');
      expect(await server.kill('SIGTERM')).toEqual({ code: 1, signal: null });
      for (const pid of processes) process.kill(pid, 'SIGCONT');
      await untilStopped(folder);
    },
  );

  test('that is killed leaves PostgreSQL and all sessions to the next one', async () => {
    const first = await ServerProcess.start(environment);
    const browser = await signIn(browserAt(first.address), owner);
    const postmaster = await postmasterOf(folder);
    await first.kill('SIGKILL');
    expect(await postmasterOf(folder)).toBe(postmaster);

    const second = await ServerProcess.start(environment);
    expect(await postmasterOf(folder)).toBe(postmaster);
    const again = browserAt(second.address);
    for (const [name, value] of browser.cookies) again.cookies.set(name, value);
    expect(await callerOf(again)(getSession, {})).toMatchObject({ user: { username: owner.email } });
    expect(await second.kill('SIGTERM')).toEqual(stopped);
    expect(await postmasterOf(folder)).toBeUndefined();
  });
});
