import { type ErrorCode, isErrorCode } from './errors.ts';

/** The body of a failed response as plain text. Fields that the body does not have are undefined. */
export type ErrorBody = {
  code: ErrorCode | undefined;
  message: string | undefined;
  error: string | undefined;
  /** The field `data`, or the whole body if it is not JSON: reverse proxies answer with text or HTML. */
  data: string | undefined;
  /** Details of a refused save after a concurrent change; `conflictOf` reads them. */
  conflict?: unknown;
};

const maximumFieldLength = 1_000;
const maximumTextLength = 300;

/** Only the first characters of a body are read, so that a page of any size is processed in bounded time. */
const maximumReadLength = 20_000;

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

/** A field is a string, or an object with a message, as some frameworks send it. */
const fieldText = (value: unknown): string | undefined => {
  const text = isRecord(value) ? value['message'] : value;
  return typeof text === 'string' ? shorten(oneLine(text.slice(0, maximumReadLength)), maximumFieldLength) : undefined;
};

/** Converts text or HTML to one line of plain text. */
const readableText = (body: string): string | undefined => {
  const text = body.slice(0, maximumReadLength);
  return shorten(oneLine(isMarkup(text) ? textOfMarkup(text) : text), maximumTextLength);
};

const isMarkup = (text: string): boolean => /<[!?/]?[a-z][^<>]*>/i.test(text);

/** The text of the body. The title is used only if the body has no text, because most error pages repeat it there. */
const textOfMarkup = (markup: string): string => {
  const visible = withoutElements(markup, ['script', 'style', 'noscript', 'template', 'svg']);
  const inBody = stripTags(withoutElements(visible, ['head', 'title']));
  return /[\p{L}\p{N}]/u.test(inBody) ? inBody : stripTags(elementText(visible, 'title'));
};

const withoutElements = (markup: string, names: readonly string[]): string =>
  names.reduce((rest, name) => removeBetween(rest, new RegExp(`<${name}(?=[\\s/>])`, 'i'), `</${name}`), markup);

/** Cuts from each opening tag to its closing tag, or to the end if there is none. */
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

/** Removes control, format and private characters and lone surrogates. Some of them reverse the direction of text. */
const oneLine = (text: string): string =>
  text
    .replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[\p{Cf}\p{Co}\p{Cs}\uFFFD]/gu, '')
    .trim();

const shorten = (text: string, longest: number): string | undefined => {
  if (text.length <= longest) return text === '' ? undefined : text;
  // Do not cut a surrogate pair in two.
  const cut = text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${cut.trimEnd()}…`;
};
