import { readFile } from 'node:fs/promises';
import { FontType } from '@opensocial/contract';
import { icons as phosphorIcons } from '@phosphor-icons/core';
import { cleanSvg } from '../../markup/svg.ts';
import type { Library, LibraryIcon } from './icons.service.ts';
import { categoriesOf } from './phosphor-categories.ts';

const fontAwesome = new URL('metadata/', import.meta.resolve('@fortawesome/fontawesome-free/package.json'));
const phosphor = new URL('../assets/', import.meta.resolve('@phosphor-icons/core'));

type Category = { name: string; label: string; icons: Set<string> };
type Family = {
  label: string;
  search: { terms: string[] };
  aliases?: { names?: string[] };
  familyStylesByLicense: { free: { style: 'solid' | 'regular' | 'brands' }[] };
  svgs: { classic: Record<string, { raw: string }> };
};

/** The icons of both packages in list order, each with its search terms. */
export const makeLibrary = async (): Promise<Library> => {
  const categories = await readCategories();
  const icons = [...(await readFontAwesome(categories)), ...(await readPhosphor(categories))].toSorted(
    (one, other) => compare(one.name, other.name) || placeOf(one) - placeOf(other),
  );
  return { categories: categories.map(({ name, label }) => ({ name, label })), icons };
};

/** Compares code units, so that the order is the same on every machine. */
const compare = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);

const placeOf = ({ font_type }: LibraryIcon): number => FontType.options.indexOf(font_type);

/** The package's list is simple YAML: a name, its icons, its label. */
const readCategories = async (): Promise<Category[]> => {
  const text = await readFile(new URL('categories.yml', fontAwesome), 'utf8');
  return text.split(/^(?=\S)/m).map((block) => ({
    name: /^([\w-]+):/.exec(block)?.[1] ?? '',
    label: /^ {2}label: (.+)$/m.exec(block)?.[1] ?? '',
    icons: new Set([...block.matchAll(/^ {4}- '?([\w-]+)'?$/gm)].map(([, icon = '']) => icon)),
  }));
};

const namesOf = (categories: Category[], icon: string): string[] =>
  categories.filter(({ icons }) => icons.has(icon)).map(({ name }) => name);

const fontTypes = { solid: 'Solid', regular: 'Regular', brands: 'Brands' } as const;

const readFontAwesome = async (categories: Category[]): Promise<LibraryIcon[]> => {
  const text = await readFile(new URL('icon-families.json', fontAwesome), 'utf8');
  return Object.entries(JSON.parse(text) as Record<string, Family>).flatMap(([name, family]) =>
    family.familyStylesByLicense.free.map(({ style }) => ({
      name,
      font_type: fontTypes[style],
      svg: clean(family.svgs.classic[style]?.raw ?? ''),
      terms: toTerms([family.label, ...(family.aliases?.names ?? []), ...family.search.terms]),
      categories: namesOf(categories, name),
    })),
  );
};

const readPhosphor = async (categories: Category[]): Promise<LibraryIcon[]> => {
  const drawn = phosphorIcons.flatMap((icon) => {
    const { name, tags } = icon;
    // Icons with the same name as in Font Awesome get the same categories.
    const found = new Set([...categoriesOf(icon), ...namesOf(categories, name)]);
    const terms = toTerms(tags.filter((tag) => !tag.startsWith('*')));
    return (['Light', 'Duotone'] as const).map((font_type) => ({ name, font_type, terms, categories: [...found] }));
  });
  return Promise.all(
    drawn.map(async (icon) => {
      const style = icon.font_type.toLowerCase();
      const file = new URL(`${style}/${icon.name}-${style}.svg`, phosphor);
      return { ...icon, svg: clean(await readFile(file, 'utf8')) };
    }),
  );
};

const toTerms = (words: string[]): string => [...new Set(words.map((word) => word.toLowerCase()))].join('\n');

/** Sanitized like the icon of a site, so that an icon of the library stays unchanged when it is chosen. */
const clean = (svg: string): string => {
  const cleaned = cleanSvg(svg);
  if (cleaned === undefined) throw new Error('An icon of the packages is empty.');
  return cleaned;
};
