import { expect, test } from 'vitest';
import { readAuditCommand } from './audit-command.ts';

const mac = '9f'.repeat(32);

test('the arguments of npm run audit are read', () => {
  expect(readAuditCommand(['verify'])).toEqual({ verb: 'verify', expected: [] });
  expect(readAuditCommand(['verify', '--expect', `12:${mac}`, '--expect', `13:${mac.toUpperCase()}`])).toEqual({
    verb: 'verify',
    expected: [
      { position: 12, mac },
      { position: 13, mac },
    ],
  });
  expect(readAuditCommand(['export', '--to', '/mnt/archive/audit.jsonl', '--since', '2026-01-31'])).toEqual({
    verb: 'export',
    file: '/mnt/archive/audit.jsonl',
    since: new Date('2026-01-31T00:00:00Z'),
  });
});

test.for([
  [[]],
  [['verify', 'all']],
  [['verify', '--expect', '12']],
  [['verify', '--to', 'x']],
  [['verify', '--unknown']],
  [['export']],
  [['export', '--to', 'x', '--since', 'yesterday']],
  [['export', '--to', 'x', '--since', '2026-02-31x']],
])('wrong arguments are answered with the usage: %j', ([args]) => {
  expect(() => readAuditCommand(args as string[])).toThrow('npm run audit -- verify');
});
