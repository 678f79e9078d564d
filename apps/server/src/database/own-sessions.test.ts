import pg from 'pg';
import { expect, test } from 'vitest';
import { afterFile } from '../testing/machine/cleanup.ts';
import { makeDatabase } from '../testing/machine/database.ts';
import { areSessionsShared, assertOwnSessions } from './own-sessions.ts';

const where = await makeDatabase();
const open = async () => {
  const client = new pg.Client(where);
  await client.connect();
  afterFile(() => client.end());
  return client;
};

test('clients with sessions of their own are accepted', async () => {
  await assertOwnSessions(where);
  expect(await areSessionsShared(await open(), [await open(), await open()])).toBe(false);
});

test('a client that gets the session of the first one is recognised', async () => {
  const first = await open();
  expect(await areSessionsShared(first, [await open(), first])).toBe(true);
});

test('a first client that gets another session each time is recognised', async () => {
  const sessions = [await open(), await open(), await open()];
  let turn = 0;
  const query = ((...args: Parameters<pg.Client['query']>) =>
    sessions[turn++ % 3]?.query(...args)) as pg.Client['query'];
  expect(await areSessionsShared({ query }, [await open()])).toBe(true);
});
