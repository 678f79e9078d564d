import { FontType, listIconCategories, listIcons } from '@opensocial/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { cleanSvg } from '../../markup/svg.ts';
import { makeUser, signInto } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { readLibrary } from './icons.service.ts';
import { makeLibrary } from './make-library.ts';

let testApp: TestApp;
let call: ReturnType<TestApp['as']>;
beforeAll(async () => {
  testApp = await buildTestApp();
  call = testApp.as(await signInto(testApp.db, testApp.browser(), await makeUser(testApp.db)));
});

type Asked = { filter?: FontType; category?: string; keyword?: string; lastid?: number };
const ask = (asked: Asked = {}) => call(listIcons, { params: { lastid: 0, ...asked } });
const countOf = async (asked: Asked): Promise<number> => (await ask(asked)).all_icons.count;

describe('§7.3 the icon library', () => {
  test('§2.15 has the icons of five font styles', async () => {
    const counts = Object.fromEntries(
      await Promise.all(FontType.options.map(async (filter) => [filter, await countOf({ filter })] as const)),
    );
    expect(counts).toEqual({ Solid: 1_422, Regular: 169, Light: 1_512, Duotone: 1_512, Brands: 572 });
    expect(await countOf({})).toBe(5_187);
  });

  test('is paged by name, each icon once', async () => {
    const names: string[] = [];
    const ids: number[] = [];
    for (let lastid = 0, isMore = true; isMore; ) {
      const { icons, all_icons } = await ask({ filter: 'Regular', lastid });
      names.push(...icons.map(({ name }) => name));
      ids.push(...icons.map(({ id }) => id));
      lastid = ids.at(-1) ?? 0;
      isMore = ids.length < all_icons.count;
      expect(icons.length).toBeLessThanOrEqual(5);
    }
    expect(names).toEqual(names.toSorted());
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(5);
  });

  test('§2.15 a search lists exact names first, then names that begin with it, other names, and keywords last', async () => {
    const { icons: library } = await readLibrary();
    const found: { id: number; name: string }[] = [];
    for (let isMore = true; isMore; ) {
      const { icons, all_icons } = await ask({ keyword: 'Book', filter: 'Solid', lastid: found.at(-1)?.id ?? 0 });
      found.push(...icons);
      isMore = icons.length > 0 && found.length < all_icons.count;
    }
    const names = found.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const places = names.map((name) => (name.startsWith('book') ? 0 : name.includes('book') ? 1 : 2));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(new Set(places)).toEqual(new Set([0, 1, 2]));
    const [first] = (await ask({ keyword: 'user', filter: 'Solid' })).icons;
    expect(first?.name).toBe('user');
    const [house] = (await ask({ keyword: 'home', filter: 'Solid' })).icons;
    expect(house?.name).toBe('house');
    const [spaced] = (await ask({ keyword: 'user doctor', filter: 'Solid' })).icons;
    expect(spaced?.name).toBe('user-doctor');
    expect(names.length).toBe(
      library.filter((icon) => icon.font_type === 'Solid' && `${icon.name} ${icon.terms}`.includes('book')).length,
    );
  });

  test.for([
    [{ keyword: 'user-doctor' }, 'user-doctor'],
    [{ keyword: 'USER DOCTOR' }, 'user-doctor'],
    [{ keyword: 'physician' }, 'user-doctor'],
    [{ keyword: 'savings', filter: 'Duotone' }, 'acorn'],
    [{ category: 'animals', filter: 'Solid' }, 'bugs'],
    [{ category: 'animals', filter: 'Light', keyword: 'dog' }, 'dog'],
    [{ category: 'security', filter: 'Duotone', keyword: 'shield-check' }, 'shield-check'],
  ] as const)('finds by %o an icon named %s', async ([asked, name]) => {
    const { icons } = await ask(asked);
    expect(icons.map((icon) => icon.name)).toContain(name);
  });

  test('can be filtered by font style', async () => {
    const { icons } = await ask({ filter: 'Duotone', category: 'animals' });
    expect(new Set(icons.map(({ font_type }) => font_type))).toEqual(new Set(['Duotone']));
  });

  test.for(['%%', '__', '.*', '(a+)+$', String.raw`\d\d`, 'no such icon', 'x'.repeat(500)])(
    'matches %s literally',
    async (keyword) => {
      expect(await ask({ keyword })).toEqual({ icons: [], all_icons: { count: 0 } });
    },
  );

  test('§2.15 is sorted into about 70 categories, none of them empty', async () => {
    const { categories } = await call(listIconCategories, {});
    expect(categories).toHaveLength(68);
    expect(categories).toContainEqual({ name: 'charts-diagrams', label: 'Charts + Diagrams' });
    for (const { name, label } of categories) {
      expect(label).not.toBe('');
      expect(await countOf({ category: name }), name).toBeGreaterThan(0);
    }
    expect(await countOf({ category: 'none-of-them' })).toBe(0);
  });

  test('draws in the current colour and size, and stays unchanged when a site stores it', async () => {
    const { icons, categories } = await readLibrary();
    const known = new Set(categories.map(({ name }) => name));
    for (const { name, svg, categories: own } of icons) {
      expect(svg, name).toMatch(
        /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="[\d .-]+"(?: fill="currentColor")?>/,
      );
      expect(svg, name).toContain('currentColor');
      expect(
        own.every((category) => known.has(category)),
        name,
      ).toBe(true);
    }
    for (const { svg } of icons.filter((_, place) => place % 50 === 0)) expect(cleanSvg(svg)).toBe(svg);
  });

  test('contains the icons of the packages', async () => {
    expect(await readLibrary()).toEqual(await makeLibrary());
  });
});
