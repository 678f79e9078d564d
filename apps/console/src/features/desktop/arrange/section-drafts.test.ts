import { expect, test } from 'vitest';
import { faultsOf, rebased, type SectionDraft, withApp, withMoved, withRestored } from './section-drafts.ts';

const draft = (key: string, apps: number[] = [], changes: Partial<SectionDraft> = {}): SectionDraft => ({
  key,
  id: undefined,
  name: key,
  apps,
  ...changes,
});
const appsOf = (drafts: readonly SectionDraft[]) => drafts.map(({ apps }) => apps);

test('§2.3 arrange: an app is in one section', () => {
  const drafts = [draft('a', [1, 2]), draft('b', [3])];
  expect(appsOf(withApp(drafts, 1, 'b'))).toEqual([[2], [3, 1]]);
  expect(appsOf(withApp(drafts, 1, undefined))).toEqual([[2], [3]]);
});

test('§2.3 arrange: an item is moved to another index', () => {
  expect(withMoved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
  expect(withMoved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
  expect(withMoved(['a'], 3, 0)).toEqual(['a']);
});

test('§2.3 arrange: a deleted section returns without apps that were put elsewhere since', () => {
  const drafts = [draft('a', [1]), draft('c')];
  expect(appsOf(withRestored(drafts, { section: draft('b', [1, 2]), index: 1 }))).toEqual([[1], [2], []]);
});

test('§2.3 arrange: a section that another browser has deleted becomes a new one', () => {
  const drafts = [draft('a', [], { id: 1 }), draft('b', [], { id: 2 }), draft('c')];
  const current = { sections: [{ id: 2, name: 'b', collapsed: false, apps: [] }], version: 4 };
  expect(rebased(drafts, current).map(({ id }) => id)).toEqual([undefined, 2, undefined]);
});

test('§2.3 arrange: problems are those of the contract, each at its section', () => {
  expect(faultsOf([draft('Daily'), draft('x', [], { name: ' ' }), draft('daily')])).toEqual({
    ofSection: new Map([
      ['x', 'Section name is required'],
      ['daily', 'Another section has this name.'],
    ]),
    ofAll: undefined,
  });
  const many = Array.from({ length: 21 }, (_, index) => draft(`s${index}`));
  expect(faultsOf(many).ofAll).toBe('You can have at most 20 sections.');
});
