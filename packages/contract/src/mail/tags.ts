import { isSetPasswordAddress, setPasswordLink } from './set-password.ts';

/** What a template may leave open until it is sent. */
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

/** What stands in their place. `signup_from` is our own origin, always. */
export type MailValues = Readonly<Record<MergeTag, string>>;

/** Whoever has one of these values can enter an account. */
export type SecretTag = 'token' | 'email_code';

const written = /\{\{\s*(\w{1,64})\s*\}\}|\{(\w{1,64})\}/g;

type Piece = { text: string } | { text: string; tag: string };

/** A text in its pieces: words, and tags as {name} or {{name}}. */
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
 * Fills in a text that people read; the caller escapes the result for markup. Tags inside a value are not filled in. A token
 * is no text: its tag is left as it stands.
 */
export const fillText = (text: string, values: MailValues): string =>
  fill(text, (tag) => (isPublicTag(tag) || tag === 'email_code' ? values[tag] : undefined));

/** Fills in an attribute such as a title. Secrets do not belong there: their tags are left as they stand. */
export const fillAttribute = (text: string, values: MailValues): string =>
  fill(text, (tag) => (isPublicTag(tag) ? values[tag] : undefined));

/**
 * Fills in the address of a link; values are percent-encoded, except for our own origin at the start. The link that sets a
 * password is replaced by our own, and no other link gets a secret.
 */
export const fillAddress = (address: string, values: MailValues): string =>
  isSetPasswordAddress(address, values.signup_from)
    ? setPasswordLink(values.signup_from, values)
    : fill(address, (tag, place) => {
        if (!isPublicTag(tag)) return undefined;
        return tag === 'signup_from' && place === 0 ? values[tag] : encodeURIComponent(values[tag].toWellFormed());
      });
