import pg from 'pg';
import { inject } from 'vitest';
import { newUid } from '../../secrets/tokens.ts';
import { afterFile } from './cleanup.ts';

const where = JSON.parse(inject('database')) as pg.ClientConfig;

/** A database on the PostgreSQL of the tests, empty or a copy of another, dropped after the tests of the file. */
export const makeDatabase = async (template = 'template1'): Promise<pg.ClientConfig> => {
  const database = `test_${newUid()}`;
  await execute(`create database ${database} template ${template}`);
  afterFile(() => execute(`drop database ${database} with (force)`));
  return { ...where, database };
};

/** The address in the form of DATABASE_URL. */
export const urlOf = ({ host = '', user = '', password, database }: pg.ClientConfig): string =>
  `postgres://${user}:${String(password)}@localhost/${database}?host=${encodeURIComponent(host)}`;

/** Runs one query on its own connection. */
export const query = async <Row extends pg.QueryResultRow>(
  at: pg.ClientConfig,
  text: string,
  values: unknown[] = [],
) => {
  const client = new pg.Client(at);
  await client.connect();
  return client.query<Row>(text, values).finally(() => client.end());
};

/** Runs a statement on the PostgreSQL of the tests, outside of their databases. */
export const execute = (statement: string) => query({ ...where, database: 'postgres' }, statement);
