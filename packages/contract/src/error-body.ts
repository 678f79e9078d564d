import { type ErrorCode, isErrorCode } from './errors.ts';

/** What the body of a failed answer says, as plain text. A field that the body does not have is undefined. */
export type ErrorBody = {
  code: ErrorCode | undefined;
  message: string | undefined;
  error: string | undefined;
  /** The field `data`, or the whole body where it is not JSON: reverse proxies answer with text or with a page. */
  data: string | undefined;
  /** Of a save that was refused because somebody else has changed the record; `conflictOf` reads it. */
  conflict?: unknown;
};

const longestField = 1_000;
const longestText = 300;

/** Characters of a body that are looked at; a page of any size is reduced in bounded time. */
const mostRead = 20_000;

export const readErrorBody = (body: string): ErrorBody => {
  const parsed = parseJson(body);
  if (parsed === undefined || typeof parsed === 'string')
    return { code: undefined, message: undefined, error: undefined, data: readableText(parsed ?? body) };
  const fields = isRecord(parsed) ? parsed : {};
  return {
    code: [fields['code'], fields['error']].find(isErrorCode),
    message: fieldText(fields['message']),
    error: fieldText(fields['error']),
    data: fieldText(fields['data']),
    ...('conflict' in fields && { conflict: fields['conflict'] }),
  };
};

const parseJson = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** A field is a text, or an object with a message of its own as some frameworks send it. */
const fieldText = (value: unknown): string | undefined => {
  const text = isRecord(value) ? value['message'] : value;
  return typeof text === 'string' ? shorten(oneLine(text.slice(0, mostRead)), longestField) : undefined;
};

/** Text or a page as one line of plain text. */
const readableText = (body: string): string | undefined => {
  const text = body.slice(0, mostRead);
  return shorten(oneLine(isMarkup(text) ? textOfMarkup(text) : text), longestText);
};

const isMarkup = (text: string): boolean => /<[!?/]?[a-z][^<>]*>/i.test(text);

/** The text of the body; that of the title only where the body has none, because most error pages repeat it. */
const textOfMarkup = (markup: string): string => {
  const visible = withoutElements(markup, ['script', 'style', 'noscript', 'template', 'svg']);
  const inBody = stripTags(withoutElements(visible, ['head', 'title']));
  return /[\p{L}\p{N}]/u.test(inBody) ? inBody : stripTags(elementText(visible, 'title'));
};

const withoutElements = (markup: string, names: readonly string[]): string =>
  names.reduce((rest, name) => removeBetween(rest, new RegExp(`<${name}(?=[\\s/>])`, 'i'), `</${name}`), markup);

/** Cuts from each opening tag to its closing one, or to the end where there is none. */
const removeBetween = (markup: string, opening: RegExp, closing: string): string => {
  const kept: string[] = [];
  let rest = markup;
  for (let start = rest.search(opening); start !== -1; start = rest.search(opening)) {
    kept.push(rest.slice(0, start));
    const end = rest.toLowerCase().indexOf(closing, start);
    rest = end === -1 ? '' : rest.slice(end + closing.length).replace(/^[^>]*>?/, '');
  }
  return `${kept.join(' ')} ${rest}`;
};

const elementText = (markup: string, name: string): string =>
  new RegExp(`<${name}(?:\\s[^<>]*)?>([^<]*)`, 'i').exec(markup)?.[1] ?? '';

const stripTags = (markup: string): string =>
  decodeEntities(
    markup
      .replaceAll(/<!--(?:(?!-->)[\s\S])*(?:-->|$)/g, ' ')
      .replaceAll(/<\/?(?:a|abbr|b|code|em|font|i|small|span|strong|tt|u)(?=[\s>])[^<>]*>/gi, '')
      .replaceAll(/<[!?/]?[a-z][^<>]*(?:>|$)/gi, ' '),
  );

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

const decodeEntities = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return point > 0 && point <= 0x10_ff_ff ? String.fromCodePoint(point) : ' ';
  });

/** Without control, format and private characters and lone surrogates, among them those that reverse the direction of text. */
const oneLine = (text: string): string =>
  text
    .replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[\p{Cf}\p{Co}\p{Cs}\uFFFD]/gu, '')
    .trim();

const shorten = (text: string, longest: number): string | undefined => {
  if (text.length <= longest) return text === '' ? undefined : text;
  // A pair of surrogates is not cut in two.
  const cut = text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${cut.trimEnd()}…`;
};
