import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Database } from '../database/connect.ts';
import { readAttemptCounts } from '../identity/login-attempts.ts';
import { readHashingState } from '../secrets/passwords.ts';

type Sample = { value: number; labels?: Record<string, string> };
type Figure = { name: string; help: string; labelNames?: readonly string[]; read: () => Sample[] };

/**
 * The figures of this process. Those of several workers are added up, so none of them is the state of the installation, which every worker
 * would report again.
 */
export const createProcessMetrics = (db: Database): Registry => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const counter of countersOf()) addCounter(registry, counter);
  for (const gauge of gaugesOf(db)) addGauge(registry, gauge);
  return registry;
};

const countersOf = (): Figure[] => [
  {
    name: 'opensocial_sign_ins_total',
    help: 'Sign-ins to sites and to the console that succeeded or were refused, as in the login log.',
    labelNames: ['result', 'target'],
    read: () =>
      readAttemptCounts().map(({ status, kind, count }) => ({
        value: count,
        labels: { result: status === 'Success' ? 'success' : 'failure', target: kind },
      })),
  },
  // Hashing is the most expensive operation that an anonymous client can cause, so a high number indicates an attack.
  {
    name: 'opensocial_password_hashings_total',
    help: 'Passwords that were hashed or compared.',
    read: () => [{ value: readHashingState().done }],
  },
  {
    name: 'opensocial_password_rejections_total',
    help: 'Requests that were rejected because too many passwords wait to be hashed.',
    read: () => [{ value: readHashingState().rejected }],
  },
];

const gaugesOf = ({ $client: pool }: Database): Figure[] => [
  {
    name: 'opensocial_password_queue_length',
    help: 'Passwords that wait to be hashed or compared.',
    read: () => [{ value: readHashingState().waiting }],
  },
  {
    name: 'opensocial_database_pool_connections',
    help: 'Connections to the database that requests use or can use.',
    labelNames: ['state'],
    read: () => [
      { value: pool.totalCount - pool.idleCount, labels: { state: 'used' } },
      { value: pool.idleCount, labels: { state: 'idle' } },
    ],
  },
  {
    name: 'opensocial_database_pool_connections_max',
    help: 'Connections to the database that requests may use at once.',
    read: () => [{ value: pool.options.max }],
  },
  {
    name: 'opensocial_database_pool_waiting',
    help: 'Queries and transactions of requests that wait for a connection to the database.',
    read: () => [{ value: pool.waitingCount }],
  },
];

const addCounter = (registry: Registry, { read, ...description }: Figure) =>
  new Counter({
    ...description,
    registers: [registry],
    collect() {
      this.reset();
      for (const { value, labels } of read()) this.inc(labels ?? {}, value);
    },
  });

const addGauge = (registry: Registry, { read, ...description }: Figure) =>
  new Gauge({
    ...description,
    registers: [registry],
    collect() {
      for (const { value, labels } of read()) this.set(labels ?? {}, value);
    },
  });
