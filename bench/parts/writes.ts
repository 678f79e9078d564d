import { createAttemptRecorder } from '../../apps/server/src/identity/login-attempts.ts';
import { repeat } from '../http.ts';
import type { Result } from '../report.ts';
import { network, openParts, type World } from '../world.ts';

const writers = 200;
const seconds = 10;

/** Log lines per second, each counted once it is durable, in the full database. */
export const measureWrites = async (world: World): Promise<Result[]> => {
  const { parts, close } = await openParts(world, 'full');
  try {
    const record = createAttemptRecorder(parts.db);
    const [site] = await world.query<{ id: string; network_id: string; domain: string }>(
      'full',
      `select id, network_id, domain from sites where kind = 'site' and network_id = (select id from networks where name = $1) limit 1`,
      [network],
    );
    if (!site) throw new Error('There is no site.');
    const place = {
      id: Number(site.id),
      network_id: Number(site.network_id),
      domain: site.domain,
      kind: 'site' as const,
    };
    const write = (turn: number) =>
      record({
        status: 'Failed',
        site: place,
        user: undefined,
        email: `stranger${turn % 5_000}@elsewhere.example`,
        reason: 'unknown address',
        mfa: null,
        address: `10.9.${turn % 250}.${turn % 200}`,
        userAgent: 'bench',
      });
    const one = (await repeat(1, seconds, write)) / seconds;
    const many = (await repeat(writers, seconds, write)) / seconds;
    return [
      {
        what: `log lines a second, ${writers} at a time`,
        measured: `${many.toFixed(0)}/s`,
        against: `${one.toFixed(0)}/s one at a time, a commit each`,
        ratio: many / one,
      },
    ];
  } finally {
    await close();
  }
};
