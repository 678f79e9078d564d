import { expect, test } from 'vitest';
import { desktopApp } from '../../testing/builders.ts';
import { sectionsOf } from './sections.ts';

const desktopOf = (count: number) =>
  Array.from({ length: count }, (_, index) => desktopApp({ id: index + 1, name: `App ${index + 1}` }));
const without = { sections: [], version: 0 };
const shown = (count: number, favourites: number[], recent: number[]) =>
  sectionsOf(desktopOf(count), { favourites, recent, ...without }).map(({ title, apps }) => [title, apps.length]);

test('§2.3 sections: favourites come first, in the order in which they were added', () => {
  const [first] = sectionsOf(desktopOf(5), { favourites: [4, 99, 2], recent: [], ...without });
  expect(first).toMatchObject({ title: 'Favourites', apps: [{ id: 4 }, { id: 2 }] });
});

test.each([
  [13, [], [3, 2, 1], ['Recently used', 3]],
  [12, [], [3, 2, 1], undefined],
  [13, [], [3, 2], undefined],
  // An app that is not on the desktop does not count.
  [13, [], [3, 2, 99], undefined],
])(
  '§2.3 sections: of %i tiles with the favourites %j and the visits %j, the first section is %j',
  (count, favourites, recent, first) => {
    const all = ['All apps', count];
    expect(shown(count, favourites, recent)).toEqual(first ? [first, all] : [all]);
  },
);

test('§2.3 sections: a desktop of unknown favourites has only the order of the administrators', () => {
  expect(sectionsOf(desktopOf(3), undefined)).toMatchObject([
    { title: 'All apps', apps: [{ id: 1 }, { id: 2 }, { id: 3 }] },
  ]);
});

const own = (id: number, name: string, apps: number[]) => ({ id, name, collapsed: id === 8, apps });
const arranged = (sections: ReturnType<typeof own>[]) =>
  sectionsOf(desktopOf(4), { favourites: [1], recent: [], sections, version: 1 }).map(({ title, apps, own: mine }) => [
    title,
    apps.map(({ id }) => id),
    mine,
  ]);

test('§2.3 sections: those of the person come next, and apps in none of them last, in the order of the administrators', () => {
  expect(arranged([own(7, 'Data analysis', [4, 99, 1]), own(8, 'Empty', [])])).toEqual([
    ['Favourites', [1], undefined],
    ['Data analysis', [4, 1], { id: 7, isCollapsed: false }],
    ['Empty', [], { id: 8, isCollapsed: true }],
    ['Other apps', [2, 3], undefined],
  ]);
});

test('§2.3 sections: if all apps are in sections of the person, there are no other apps', () => {
  expect(arranged([own(7, 'Everything', [4, 3, 2, 1])]).map(([title]) => title)).toEqual(['Favourites', 'Everything']);
});
