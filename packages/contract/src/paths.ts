import { z } from 'zod';
import { Cursor, Keyword } from './paging.ts';

/**
 * Builds and parses one path. No other code builds URLs: the server parses with the same codec that the console builds
 * with. `parse` returns the decoded segments by name, or undefined if the path does not match; `params` then validates
 * them.
 */
export type PathCodec<Params extends z.ZodObject = z.ZodObject> = {
  /** For people and the API reference: '/server/sso/groups/{serverId}[/search/{keyword}]/{lastId}/{serverName}'. */
  template: string;
  /** For the router: a static prefix with named or wildcard segments. */
  route: string;
  params: Params;
  build: (params: z.input<Params>) => string;
  parse: (pathname: string) => Record<string, string> | undefined;
};

type Names<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Names<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

type Schemas<Name extends string> = { [N in Name]: z.ZodType<unknown, string | number> };

/** A path of fixed length: `path('/server/get_name/:id', { id: Id })`. */
export const path = <const Path extends string, S extends Schemas<Names<Path>>>(
  pattern: Path,
  schemas: S,
): PathCodec<z.ZodObject<S>> => {
  const parts = segments(pattern);
  return {
    template: braced(pattern),
    route: pattern,
    params: z.object(schemas),
    build: (params) => fill(parts, params),
    parse: (pathname) => match(parts, segments(pathname)),
  };
};

/**
 * The path of a list: a fixed head and tail, and between them optional filters in a fixed order and a search keyword:
 * `head[/filter/{…}][/time/{…}][/{keyword}]tail` or `head/search/{keyword}tail`.
 *
 * It is parsed from both ends, so that a keyword cannot change which segment names the network. Filters come in pairs,
 * so an odd number of segments in the middle means that there is a bare keyword, even if that keyword is 'filter'.
 */
export const listPath = <
  const Head extends string,
  F extends Record<string, z.ZodType<unknown, string>>,
  const Tail extends string,
  S extends Schemas<Exclude<Names<Head> | Names<Tail>, 'lastid' | 'lastId'>>,
>(
  head: Head,
  filters: F,
  tail: Tail,
  schemas: S,
) => {
  const headParts = segments(head);
  const tailParts = segments(tail);
  const filterNames = Object.keys(filters);
  const cursors = Object.fromEntries(
    tailParts.flatMap((part) => (/^:last[iI]d$/.test(part) ? [[part.slice(1), Cursor]] : [])),
  ) as Record<Extract<Names<Tail>, 'lastid' | 'lastId'>, typeof Cursor>;
  const optional = z.object(filters).partial().shape;
  const params = z.object({ ...schemas, ...cursors, ...optional, keyword: Keyword.optional() });

  const middleOf = (values: Record<string, unknown>): string => {
    const pairs = filterNames
      .filter((name) => values[name] !== undefined)
      .map((name) => `/${name}/${encodeSegment(String(values[name]))}`);
    const keyword = typeof values['keyword'] === 'string' ? values['keyword'].trim() : '';
    if (keyword === '') return pairs.join('');
    return pairs.length > 0 ? `${pairs.join('')}/${encodeSegment(keyword)}` : `/search/${encodeSegment(keyword)}`;
  };

  return {
    template: `${braced(head)}${filterNames.map((name) => `[/${name}/{${name}}]`).join('')}[/search/{keyword}]${braced(tail)}`,
    route: `${head}/*`,
    params,
    build: (values: z.input<typeof params>) =>
      `${fill(headParts, values)}${middleOf(values)}${fill(tailParts, values)}`,
    parse: (pathname: string) => {
      const given = segments(pathname);
      if (given.length < headParts.length + tailParts.length) return undefined;
      const split = given.length - tailParts.length;
      const start = match(headParts, given.slice(0, headParts.length));
      const end = match(tailParts, given.slice(split));
      const middle = matchMiddle(given.slice(headParts.length, split), filterNames);
      return start && end && middle ? { ...start, ...middle, ...end } : undefined;
    },
  } satisfies PathCodec<typeof params>;
};

const segments = (pathname: string): string[] => pathname.split('/').slice(1);

const braced = (pattern: string): string => pattern.replaceAll(/:(\w+)/g, '{$1}');

const fill = (parts: string[], params: unknown): string =>
  parts
    .map(
      (part) =>
        `/${part.startsWith(':') ? encodeSegment(String((params as Record<string, unknown>)[part.slice(1)])) : part}`,
    )
    .join('');

const match = (parts: string[], given: string[]): Record<string, string> | undefined => {
  if (given.length !== parts.length) return undefined;
  const values: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const segment = given[index] ?? '';
    if (!part.startsWith(':')) {
      if (segment !== part) return undefined;
      continue;
    }
    const value = decodeSegment(segment);
    if (value === undefined) return undefined;
    values[part.slice(1)] = value;
  }
  return values;
};

const matchMiddle = (middle: string[], filterNames: string[]): Record<string, string> | undefined => {
  const values: Record<string, string> = {};
  const pairs = middle.length % 2 === 0 ? middle : middle.slice(0, -1);
  if (pairs.length !== middle.length) {
    const keyword = decodeSegment(middle.at(-1) ?? '');
    if (keyword === undefined || filterNames.length === 0) return undefined;
    values['keyword'] = keyword;
  }
  let next = 0;
  for (let index = 0; index < pairs.length; index += 2) {
    const name = pairs[index] ?? '';
    const value = decodeSegment(pairs[index + 1] ?? '');
    if (value === undefined) return undefined;
    if (name === 'search' && middle.length === 2) return { keyword: value };
    const position = filterNames.indexOf(name, next);
    if (position === -1) return undefined;
    next = position + 1;
    values[name] = value;
  }
  return values;
};

/**
 * Browsers resolve '.' and '..' as directories, even percent-encoded, and remove them from the path. A trailing space
 * prevents that.
 */
const encodeSegment = (value: string): string =>
  encodeURIComponent(value.toWellFormed()) + (value === '.' || value === '..' ? '%20' : '');

const decodeSegment = (segment: string): string | undefined => {
  if (segment === '') return undefined;
  try {
    const value = decodeURIComponent(segment);
    return value === '. ' || value === '.. ' ? value.trimEnd() : value;
  } catch {
    return undefined;
  }
};
