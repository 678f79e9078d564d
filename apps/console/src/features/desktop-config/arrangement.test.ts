import type { ConfiguredApp } from '@opensocial/contract';
import { describe, expect, test } from 'vitest';
import { desktopApp } from '../../testing/builders.ts';
import { type Arrangement, describePlace, type Place, placeOf, stepFrom, withPlaced } from './arrangement.ts';

const app = (id: number, domain: string): ConfiguredApp => ({ ...desktopApp({ id, name: domain }), domain });
const held: Arrangement = {
  available: [app(1, 'alpha'), app(2, 'delta')],
  desktop: [app(3, 'beta'), app(4, 'gamma'), app(5, 'omega')],
};
const at = (index: number): Place => ({ list: 'desktop', index });
const off: Place = { list: 'available' };
const idsOf = ({ available, desktop }: Arrangement) => [available, desktop].map((apps) => apps.map(({ id }) => id));

describe('§4 desktop lists', () => {
  test.each<[string, number, Place, number[][]]>([
    ['from one list to a place in the other', 2, at(1), [[1], [3, 2, 4, 5]]],
    ['to the end of the desktop', 2, at(3), [[1], [3, 4, 5, 2]]],
    [
      'within the desktop',
      5,
      at(0),
      [
        [1, 2],
        [5, 3, 4],
      ],
    ],
    [
      'off the desktop, to where its domain belongs',
      3,
      off,
      [
        [1, 3, 2],
        [4, 5],
      ],
    ],
  ])('an app is moved %s', (_case, id, place, wanted) => {
    const moved = withPlaced(held, id, place);
    expect(idsOf(moved)).toEqual(wanted);
    expect(placeOf(moved, id)).toEqual(place);
  });

  test('an app that is already there, or has been deleted, changes nothing', () => {
    expect(withPlaced(held, 4, at(1))).toBe(held);
    expect(withPlaced(held, 1, off)).toBe(held);
    expect(withPlaced(held, 99, at(0))).toBe(held);
  });

  test('describes places as text', () => {
    expect(describePlace(at(1), held)).toBe('place 2 of 3 on the desktop');
    expect(describePlace(off, held)).toBe('among the available apps');
  });
});

describe('§2.11 desktop lists by the arrow keys', () => {
  // Three columns with the last index 7: two rows of three and one of two.
  const wide = { columns: 3, isStacked: false, last: 7 };
  test.each<[Place, string, Place]>([
    [off, 'ArrowRight', at(7)],
    [off, 'ArrowDown', off],
    [at(4), 'ArrowLeft', at(3)],
    [at(3), 'ArrowLeft', off],
    [at(4), 'ArrowRight', at(5)],
    [at(5), 'ArrowRight', at(5)],
    [at(4), 'ArrowUp', at(1)],
    [at(1), 'ArrowUp', at(1)],
    [at(4), 'ArrowDown', at(7)],
    [at(5), 'ArrowDown', at(7)],
    [at(7), 'ArrowDown', at(7)],
    [at(4), 'Home', at(0)],
    [at(4), 'End', at(7)],
    [at(4), 'x', at(4)],
  ])('from %j, %s moves to %j', (place, key, wanted) => {
    expect(stepFrom(place, key, wide)).toEqual(wanted);
  });

  test('on a phone the lists are one below the other', () => {
    const phone = { ...wide, isStacked: true };
    expect(stepFrom(off, 'ArrowDown', phone)).toEqual(at(7));
    expect(stepFrom(at(1), 'ArrowUp', phone)).toEqual(off);
    expect(stepFrom(at(3), 'ArrowLeft', phone)).toEqual(at(3));
  });
});
