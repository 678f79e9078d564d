import type { TrashEntry } from '@opensocial/contract';
import { expect, test } from 'vitest';
import { trashLabel } from './trash-columns.tsx';

const entry = (changes: Partial<TrashEntry>): TrashEntry => ({
  id: 1,
  kind: 'site',
  label: 'reports.org',
  detail: 'Reports',
  deleted_by: 'ana@northlab.org',
  deleted_at: '2026-11-18T10:00:00.000Z',
  expires_at: '2026-12-18T10:00:00.000Z',
  ...changes,
});

test.each([
  ['Reports (reports.org)', {}],
  ['reports.org', { detail: '' }],
  ['reports.org', { detail: 'reports.org' }],
  ['Ben Ito (ben@northlab.org)', { kind: 'user', label: 'ben@northlab.org', detail: 'Ben Ito' }],
  ['Chemists', { kind: 'group', label: 'Chemists', detail: 'Everybody in chemistry' }],
  ['A microscope', { kind: 'image', label: 'A microscope', detail: 'microscope.png' }],
] as const)('§2.18 a deleted object is called %s', (label, changes) => {
  expect(trashLabel(entry(changes))).toBe(label);
});
