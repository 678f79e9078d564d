import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from '../apps/server/src/database/connect.ts';
import { findEmbedded } from '../apps/server/src/database/embedded/embedded.ts';
import { Browser } from '../apps/server/src/testing/app/browser.ts';
import { makeUser, signInto } from '../apps/server/src/testing/app/builders.ts';
import { makeForm } from '../apps/server/src/testing/app/forms.ts';
import { makeNoise } from '../apps/server/src/testing/payloads/pictures.ts';

/**
 * Uploads a picture of 100 MB twenty times at once, two per owner, and measures how much the memory of the server
 * grows. Another picture can be given as argument.
 */
const uploads = 20;
const network = 'opensocial';
const megabyte = 1024 * 1024;

const folder = await mkdtemp(join(tmpdir(), 'opensocial-uploads-'));
await chmod(folder, 0o711);

const findPicture = async (): Promise<string> => {
  const [, , given] = process.argv;
  const file = given ?? join(folder, 'noise.png');
  if (!given) await writeFile(file, await makeNoise(5_780));
  return file;
};

const start = async (): Promise<{ server: ChildProcess; address: string }> => {
  const server = spawn(process.execPath, ['apps/server/dist/main.js'], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], DATA_DIR: folder, PORT: '0', WORKERS: '1' },
  });
  let said = '';
  for await (const words of server.stdout ?? []) {
    said += String(words);
    if (said.includes('is ready')) break;
  }
  server.stdout?.resume();
  return { server, address: /Server listening at (http:\/\/[^"]+)/.exec(said)?.[1] ?? '' };
};

/** The cookies of this many owners, each with a session. */
const signInOwners = async (count: number): Promise<string[]> => {
  const { db, close } = connect((await findEmbedded(folder)) ?? {}, () => undefined);
  const cookies: string[] = [];
  for (let each = 0; each < count; each += 1) {
    const owner = await makeUser(db, { network, owns: [network] });
    const { cookies: own } = await signInto(db, new Browser(undefined as never), owner);
    cookies.push(`opensocial_session=${own.get('opensocial_session')}`);
  }
  await close();
  return cookies;
};

const upload = async (address: string, cookie: string, file: string): Promise<void> => {
  const { headers, payload } = makeForm([
    ['sso_server', network],
    ['image', { name: `noise${extname(file)}`, bytes: createReadStream(file) }],
  ]);
  const sent = request(`${address}/prxy/api/image_upload`, {
    method: 'POST',
    headers: { ...headers, cookie, 'sec-fetch-site': 'same-origin' },
  });
  payload.pipe(sent);
  const [answer] = await once(sent, 'response');
  const body = await text(answer);
  if (answer.statusCode !== 200) throw new Error(`An upload was answered ${answer.statusCode}: ${body}`);
};

/** Resident memory, in megabytes. */
const memoryOf = async ({ pid }: ChildProcess): Promise<number> =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

const watch = (server: ChildProcess) => {
  let most = 0;
  const timer = setInterval(async () => {
    most = Math.max(most, await memoryOf(server).catch(() => 0));
  }, 20);
  return () => {
    clearInterval(timer);
    return most;
  };
};

const file = await findPicture();
const { server, address } = await start();
try {
  const owners = await signInOwners(uploads / 2);
  const atRest = await memoryOf(server);
  const end = watch(server);
  const begun = performance.now();
  await Promise.all([...owners, ...owners].map((cookie) => upload(address, cookie, file)));
  const seconds = (performance.now() - begun) / 1_000;
  const sent = ((await stat(file)).size * uploads) / megabyte;
  const grown = end() - atRest;
  const left = (await readdir(join(folder, 'uploads'))).length;
  console.log(
    `uploads: ${uploads} at once, ${sent.toFixed(0)} MB in ${seconds.toFixed(1)} s; memory grew by ${grown.toFixed(0)} MB over ${atRest.toFixed(0)}, ${(grown / sent).toFixed(3)} of what was sent; ${left} files left behind`,
  );
} finally {
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
  await rm(folder, { recursive: true, force: true });
}
