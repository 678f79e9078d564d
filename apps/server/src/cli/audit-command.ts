import { parseArgs } from 'node:util';
import { ConfigError } from '../config.ts';
import type { ChainPlace } from '../features/audit/audit.verify.service.ts';
import { parseCommand, toPath } from './command-line.ts';

const usage = `Usage:
  npm run audit -- verify                            check that no audit record was changed, removed or added
  npm run audit -- verify --expect POSITION:MAC      also check a place that a server wrote to its log (may be repeated)
  npm run audit -- export --to FILE                  write all audit records to a file, one JSON object per line
  npm run audit -- export --to FILE --since DATE     only those since a day, such as 2026-01-31 (UTC)`;

export type AuditCommand =
  | { verb: 'verify'; expected: ChainPlace[] }
  | { verb: 'export'; file: string; since: Date | undefined };

export const readAuditCommand = (args: string[]): AuditCommand => {
  const { values, positionals } = parseCommand(usage, () =>
    parseArgs({
      args,
      options: {
        expect: { type: 'string', multiple: true },
        to: { type: 'string' },
        since: { type: 'string' },
      },
      allowPositionals: true,
    }),
  );
  const [verb, ...rest] = positionals;
  const { expect, to, since } = values;
  if (rest.length === 0 && verb === 'verify' && to === undefined && since === undefined)
    return { verb, expected: (expect ?? []).map(toPlace) };
  if (rest.length === 0 && verb === 'export' && to !== undefined && expect === undefined)
    return { verb, file: toPath(to), since: since === undefined ? undefined : toDay(since) };
  throw new ConfigError(usage);
};

const toPlace = (given: string): ChainPlace => {
  const [, position, mac] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(given.trim()) ?? [];
  if (position === undefined || mac === undefined)
    throw new ConfigError(`--expect must be a position and a MAC of 64 hexadecimal digits, such as 120:9f…\n${usage}`);
  return { position: Number(position), mac: mac.toLowerCase() };
};

const toDay = (given: string): Date => {
  const day = new Date(`${given}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(given) || Number.isNaN(day.getTime()))
    throw new ConfigError(`--since must be a day such as 2026-01-31.\n${usage}`);
  return day;
};
