import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest';
import { makeDatabase, query } from '../testing/machine/database.ts';
import { eventually } from '../testing/machine/eventually.ts';
import { type Connection, connect, isConflict, isDatabaseAway, isDatabaseFull, probeDisk } from './connect.ts';

const limits = { max: 3, connectionTimeoutMillis: 2_000, query_timeout: 2_000, statement_timeout: 0 };

let where: pg.ClientConfig;
let connection: Connection;
beforeAll(async () => {
  where = await makeDatabase();
  connection = connect(where, () => undefined, limits);
  await connection.pool.query('create table notes (text text)');
});
afterAll(() => connection.close());

const addNote = (text: string) => connection.db.execute(sql`insert into notes values (${text})`);
const countNotes = async () => (await query(where, 'select from notes')).rowCount;

/** Suspends the server processes of our connections until `resume` is called. */
const hang = async (): Promise<{ resume: () => void }> => {
  const { rows } = await query<{ pid: number }>(
    where,
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  for (const { pid } of rows) process.kill(pid, 'SIGSTOP');
  const resume = () => rows.forEach(({ pid }) => process.kill(pid, 'SIGCONT'));
  onTestFailed(resume);
  return { resume };
};

const openAll = () =>
  Promise.all(Array.from({ length: limits.max }, () => connection.pool.query('select pg_sleep(0.05)')));

describe('a database that hangs', () => {
  test('is reported as unavailable, and does not leak connections whose transaction had only begun', async () => {
    await openAll();
    const { resume } = await hang();
    const begun = Array.from({ length: 2 * limits.max }, () => connection.db.transaction(async () => 'never'));
    for (const outcome of await Promise.allSettled(begun)) {
      expect(outcome.status).toBe('rejected');
      expect(isDatabaseAway((outcome as PromiseRejectedResult).reason)).toBe(true);
    }
    resume();
    const done = Array.from({ length: 2 * limits.max }, () => connection.db.transaction(async () => 'done'));
    expect(new Set(await Promise.all(done))).toEqual(new Set(['done']));
  });

  test('is also reported as unavailable if connecting is never answered, as on an overloaded machine', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const client = new pg.Client({ host: '127.0.0.1', port, connectionTimeoutMillis: 100 });
    expect(isDatabaseAway(await client.connect().catch((error: unknown) => error))).toBe(true);
    silent.close();
  });

  test('leaves no half-open transaction to the next query', async () => {
    await openAll();
    const before = (await countNotes()) ?? 0;
    let resume = () => undefined as void;
    const hung = connection.db.transaction(async (tx) => {
      await tx.execute(sql`insert into notes values ('never')`);
      ({ resume } = await hang());
      await tx.execute(sql`select 1`);
    });
    await expect(hung).rejects.toSatisfy(isDatabaseAway);
    resume();
    for (let note = 0; note < 2 * limits.max; note += 1) await addNote('kept');
    expect(await countNotes()).toBe(before + 2 * limits.max);
  });
});

describe('a transaction', () => {
  test('keeps all of its work or nothing, and returns its connection either way', async () => {
    const before = (await countNotes()) ?? 0;
    for (let round = 0; round < 2 * limits.max; round += 1) {
      const refused = connection.db.transaction(async (tx) => {
        await tx.execute(sql`insert into notes values ('refused')`);
        throw new Error('no');
      });
      await expect(refused).rejects.toThrow('no');
    }
    expect(await countNotes()).toBe(before);
    await connection.db.transaction(async (tx) => {
      await tx.execute(sql`insert into notes values ('kept')`);
    });
    expect(await countNotes()).toBe(before + 1);
  });
});

describe('an error', () => {
  const withCode = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });

  test.for([
    ['a refused connection', withCode('ECONNREFUSED')],
    ['several of them', new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNREFUSED')])],
    ['a socket that is not there', withCode('ENOENT', { syscall: 'connect' })],
    ['a shutdown', withCode('57P01')],
    ['a crash', withCode('57P02')],
    ['a start', withCode('57P03')],
    ['a statement that took too long', withCode('57014')],
    ['no memory', withCode('53200')],
    ['no connection left', withCode('53300')],
    ['a disk that fails', withCode('58030')],
    ['one inside another', new Error('outer', { cause: withCode('57P03') })],
    ['no answer', new Error('Query read timeout')],
  ] as const)('that means the database is away: %s', ([, error]) => {
    expect(isDatabaseAway(error)).toBe(true);
  });

  test.for([
    ['a missing file', withCode('ENOENT', { syscall: 'open' })],
    ['a constraint', withCode('23505')],
    ['a full disk, which has an answer of its own', withCode('53100')],
    ['a mistake of ours', new TypeError('x is not a function')],
    ['nothing at all', undefined],
  ] as const)('that does not: %s', ([, error]) => {
    expect(isDatabaseAway(error)).toBe(false);
  });
});

test('a deadlock and a serialization failure are conflicts, not an unavailable database', () => {
  for (const code of ['40P01', '40001']) {
    const error = Object.assign(new pg.DatabaseError('try again', 9, 'error'), { code });
    expect(isConflict(new Error('outer', { cause: error }))).toBe(true);
    expect(isDatabaseAway(error)).toBe(false);
  }
  expect(isConflict(Object.assign(new pg.DatabaseError('twice', 5, 'error'), { code: '23505' }))).toBe(false);
});

describe('a disk', () => {
  const withState = (code: string) => Object.assign(new pg.DatabaseError('no room', 7, 'error'), { code });

  test('that is full is recognised by its error code, also inside another error', () => {
    expect(isDatabaseFull(new Error('outer', { cause: withState('53100') }))).toBe(true);
    expect(isDatabaseFull(withState('53200'))).toBe(false);
    expect(isDatabaseFull(Object.assign(new Error('a disk of ours'), { code: 'ENOSPC' }))).toBe(false);
  });

  test('is probed by allocating a part of it', async () => {
    // A single connection, which can be told to flush its statistics.
    const single = connect(where, () => undefined, { ...limits, max: 1 });
    const written = async () => {
      await single.pool.query('select pg_stat_force_next_flush()');
      const { rows } = await query<{ bytes: string }>(
        where,
        'select temp_bytes as bytes from pg_stat_database where datname = current_database()',
      );
      return Number(rows[0]?.bytes);
    };
    const before = await written();
    await probeDisk(single.db);
    await eventually(async () => expect((await written()) - before).toBeGreaterThan(500_000));
    await single.close();
  });
});
