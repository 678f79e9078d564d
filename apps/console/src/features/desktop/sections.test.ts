import { expect, test } from 'vitest';
import { desktopApp } from '../../testing/builders.ts';
import { sectionsOf } from './sections.ts';

const desktopOf = (count: number) =>
  Array.from({ length: count }, (_, index) => desktopApp({ id: index + 1, name: `App ${index + 1}` }));
const shown = (count: number, favourites: number[], recent: number[]) =>
  sectionsOf(desktopOf(count), { favourites, recent }).map(({ title, apps }) => [title, apps.length]);

test('§2.3 sections: favourites come first, in the order in which they were added', () => {
  const [first] = sectionsOf(desktopOf(5), { favourites: [4, 99, 2], recent: [] });
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
