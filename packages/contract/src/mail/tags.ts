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

/** Whoever has one of these can enter an account: they go to the recipient and to us, and nowhere else. */
const secretTags: ReadonlySet<string> = new Set<MergeTag>(['token', 'email_code']);

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

export const holdsSecret = (text: string): boolean => tagsIn(text).some((tag) => secretTags.has(tag));

const fill = (text: string, value: (tag: MergeTag, place: number) => string): string =>
  splitTags(text)
    .map((piece, place) => ('tag' in piece && isMergeTag(piece.tag) ? value(piece.tag, place) : piece.text))
    .join('');

/** The values as plain text: whoever puts it into markup escapes it. What a value holds is never read as a tag. */
export const fillText = (text: string, values: MailValues): string => fill(text, (tag) => values[tag]);

/** The values as parts of an address. Only our own origin, which begins it, is more than a part. */
export const fillAddress = (address: string, values: MailValues): string =>
  fill(address, (tag, place) =>
    tag === 'signup_from' && place === 0 ? values[tag] : encodeURIComponent(values[tag].toWellFormed()),
  );
