import { readFile } from 'node:fs/promises';
import type { FontType, Icon, IconCategory } from '@opensocial/contract';
import { iconLibraryFile } from '../../places.ts';

export type LibraryIcon = {
  name: string;
  font_type: FontType;
  svg: string;
  /** Search terms besides the name, in lower case, one per line. */
  terms: string;
  categories: string[];
};

export type Library = { categories: IconCategory[]; icons: LibraryIcon[] };

let library: Promise<Library> | undefined;

/** Read on first use and cached. */
export const readLibrary = (): Promise<Library> => {
  library ??= readFile(iconLibraryFile, 'utf8').then(
    (text) => JSON.parse(text) as Library,
    (cause: unknown) => {
      library = undefined;
      throw new Error('The icon library is not built. Run: npm run build', { cause });
    },
  );
  return library;
};

type IconsQuery = {
  filter?: FontType | undefined;
  category?: string | undefined;
  keyword?: string | undefined;
  lastId: number;
  size: number;
};

/**
 * Finds matching icons, best matches first, then by name. The id of an icon is its position in the library. The cursor
 * is the id of the last icon of the previous page; the page begins with the icon after it in this order.
 */
export const findIcons = ({ icons }: Library, { filter, category, keyword, lastId, size }: IconsQuery) => {
  const words = keyword?.toLowerCase();
  const rankOf = (icon: LibraryIcon): number => (words === undefined ? 0 : rankFor(words, icon));
  const found = icons.flatMap((icon, place) => {
    if (filter !== undefined && icon.font_type !== filter) return [];
    if (category !== undefined && !icon.categories.includes(category)) return [];
    const rank = rankOf(icon);
    return rank === noMatch ? [] : [{ id: place + 1, rank, icon }];
  });
  const last = icons[lastId - 1];
  const cursor = last ? { id: lastId, rank: rankOf(last) } : { id: lastId, rank: 0 };
  const page = found
    .toSorted(byRank)
    .filter((entry) => byRank(entry, cursor) > 0)
    .slice(0, size);
  return {
    icons: page.map(({ id, icon: { name, svg, font_type } }): Icon => ({ id, name, svg, font_type })),
    total: found.length,
  };
};

type Ranked = { id: number; rank: number };

const byRank = (one: Ranked, other: Ranked): number => one.rank - other.rank || one.id - other.id;

const noMatch = 6;

/** Ranks a match: names before keywords, whole matches before partial ones. */
const rankFor = (words: string, { name, terms }: LibraryIcon): number => {
  const hyphenated = words.trim().replace(/\s+/g, '-');
  if (name === hyphenated) return 0;
  if (name.startsWith(hyphenated)) return 1;
  if (`-${name}`.includes(`-${hyphenated}`)) return 2;
  if (name.includes(hyphenated)) return 3;
  if (!terms.includes(words)) return noMatch;
  return terms.split('\n').includes(words) ? 4 : 5;
};
