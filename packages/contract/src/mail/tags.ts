import { isSetPasswordAddress, setPasswordLink } from './set-password.ts';

/** The tags that a template may contain. */
export const mergeTags = [
  'user_name',
  'email',
  'token',
  'site',
  'signup_from',
  'state',
  'relay_state',
  'email_code',
] as const;
export type MergeTag = (typeof mergeTags)[number];

/** The values that replace the tags. `signup_from` is always our own origin. */
export type MailValues = Readonly<Record<MergeTag, string>>;

/** Anybody who knows one of these values can enter the account. */
export type SecretTag = 'token' | 'email_code';

const written = /\{\{\s*(\w{1,64})\s*\}\}|\{(\w{1,64})\}/g;

type Piece = { text: string } | { text: string; tag: string };

/** Splits a text into words and tags, written as {name} or {{name}}. */
export const splitTags = (text: string): Piece[] => {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(written)) {
    if (match.index > from) pieces.push({ text: text.slice(from, match.index) });
    pieces.push({ text: match[0], tag: match[1] ?? match[2] ?? '' });
    from = match.index + match[0].length;
  }
  return from < text.length ? [...pieces, { text: text.slice(from) }] : pieces;
};

export const isMergeTag = (name: string): name is MergeTag => (mergeTags as readonly string[]).includes(name);

export const tagsIn = (text: string): string[] => splitTags(text).flatMap((piece) => ('tag' in piece ? piece.tag : []));

type PublicTag = Exclude<MergeTag, SecretTag>;

const isPublicTag = (name: string): name is PublicTag => isMergeTag(name) && name !== 'token' && name !== 'email_code';

const fill = (text: string, value: (tag: string, place: number) => string | undefined): string =>
  splitTags(text)
    .map((piece, place) => ('tag' in piece ? (value(piece.tag, place) ?? piece.text) : piece.text))
    .join('');

/**
 * Fills in tags in visible text. The caller escapes the result for markup. Tags inside a value are not filled in, and
 * the token tag stays as it is.
 */
export const fillText = (text: string, values: MailValues): string =>
  fill(text, (tag) => (isPublicTag(tag) || tag === 'email_code' ? values[tag] : undefined));

/** Fills in tags in an attribute such as a title. Tags of secrets stay as they are. */
export const fillAttribute = (text: string, values: MailValues): string =>
  fill(text, (tag) => (isPublicTag(tag) ? values[tag] : undefined));

/**
 * Fills in tags in the address of a link. Values are percent-encoded, except our own origin at the start. The link that
 * sets a password is rebuilt by us, and no other link gets a secret.
 */
export const fillAddress = (address: string, values: MailValues): string =>
  isSetPasswordAddress(address, values.signup_from)
    ? setPasswordLink(values.signup_from, values)
    : fill(address, (tag, place) => {
        if (!isPublicTag(tag)) return undefined;
        return tag === 'signup_from' && place === 0 ? values[tag] : encodeURIComponent(values[tag].toWellFormed());
      });
