import { readFile } from 'node:fs/promises';
import type { FontType, Icon, IconCategory } from '@opensocial/contract';
import { iconLibraryFile } from '../../places.ts';

export type LibraryIcon = {
  name: string;
  font_type: FontType;
  svg: string;
  /** What it is found by besides its name, in lower case, a line each. */
  terms: string;
  categories: string[];
};

export type Library = { categories: IconCategory[]; icons: LibraryIcon[] };

let library: Promise<Library> | undefined;

/** Read when somebody first looks for an icon, and kept. */
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

type IconsAsked = {
  filter?: FontType | undefined;
  category?: string | undefined;
  keyword?: string | undefined;
  lastId: number;
  size: number;
};

/** An icon's place in the library is its id, so the cursor is a place too. */
export const findIcons = ({ icons }: Library, { filter, category, keyword, lastId, size }: IconsAsked) => {
  const words = keyword?.toLowerCase();
  const found = icons.flatMap((icon, place): Icon[] => {
    if (filter !== undefined && icon.font_type !== filter) return [];
    if (category !== undefined && !icon.categories.includes(category)) return [];
    if (words !== undefined && !icon.name.includes(words) && !icon.terms.includes(words)) return [];
    return [{ id: place + 1, name: icon.name, svg: icon.svg, font_type: icon.font_type }];
  });
  return { icons: found.filter(({ id }) => id > lastId).slice(0, size), total: found.length };
};
