import type { TemplateKind } from '../templates/templates.schemas.ts';
import { type MarkupNode, plainText } from './plain-text.ts';
import { isSetPasswordAddress, setPasswordAddress } from './set-password.ts';
import { mergeTags, type SecretTag, splitTags, tagsIn } from './tags.ts';

/** The secret that each kind of mail delivers. Without its tag the recipient cannot act on the mail. */
export const secretOf: Readonly<Record<TemplateKind, SecretTag | undefined>> = {
  invitation: 'token',
  ex_user_invitation: undefined,
  signup: 'token',
  reset: 'token',
  resend: 'token',
  emailmfa: 'email_code',
};

/** The tags that the text of a mail may contain. */
export const textTagsOf = (kind: TemplateKind) =>
  mergeTags.filter((tag) => tag !== 'token' && (tag !== 'email_code' || secretOf[kind] === tag));

/** The tags that the editor's menu offers: the seven common ones, and the code in the mail that delivers it. */
export const menuTagsOf = (kind: TemplateKind) =>
  mergeTags.filter((tag) => tag !== 'email_code' || secretOf[kind] === tag);

type Place = { is: 'text' | 'address' | 'attribute'; text: string };

/**
 * Returns why a template must not be saved or sent, or undefined. Owners write templates for people whose accounts they
 * must not be able to enter. A token may therefore appear only in the link to the password page, and a code only as a
 * word of the text. The server checks this on save and on every send; the editor uses the same function.
 */
export const secretFault = (kind: TemplateKind, tree: MarkupNode, origin: string): string | undefined => {
  for (const place of placesIn(tree)) {
    const fault = placeFault(kind, place, origin);
    if (fault !== undefined) return fault;
  }
  return linkedCodeFault(plainText(tree));
};

/** The same check for the address of a single link. */
export const addressFault = (kind: TemplateKind, address: string, origin: string): string | undefined =>
  placeFault(kind, { is: 'address', text: address }, origin);

const placesIn = (node: MarkupNode): Place[] => {
  if (node.type === 'text') return [{ is: 'text', text: node.value ?? '' }];
  const own = Object.entries(node.properties ?? {}).map(
    ([name, value]): Place => ({
      is: node.tagName === 'a' && name === 'href' ? 'address' : 'attribute',
      text: String(value),
    }),
  );
  return [...own, ...(node.children ?? []).flatMap(placesIn)];
};

const placeFault = (kind: TemplateKind, { is, text }: Place, origin: string): string | undefined => {
  const tags = tagsIn(text);
  for (const secret of ['token', 'email_code'] as const) {
    if (!tags.includes(secret)) continue;
    if (secretOf[kind] !== secret) return missingFaults[secret];
    if (secret === 'email_code' && is !== 'text') return `${codeRule} Remove it from "${excerpt(text)}".`;
    if (secret === 'token' && !(is === 'address' && isSetPasswordAddress(text, origin)))
      return `${tokenRule} Remove {token} from "${excerpt(text)}".`;
  }
  return undefined;
};

const missingFaults: Readonly<Record<SecretTag, string>> = {
  token: 'This email has no {token}: only invitations, sign-ups, password resets and resent links have one. Remove it.',
  email_code: 'This email has no {email_code}: only the Email MFA email has one. Remove it.',
};
const tokenRule = `{token} only works in the link that sets a password. Use the 'Set your password' button or link: ${setPasswordAddress} and nothing more.`;
const codeRule = '{email_code} only works in the text, as a word of its own with a space before and after it.';

const excerpt = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text);

const wordEnd = /[.,:;!?)\]"'”’»…]+$/;
/**
 * Mail programs do not treat a word without these characters as an address. A brace starts a tag, whose value may
 * contain them.
 */
const addressCharacter = /[./@\\?&%#{}]/;

/**
 * Mail programs turn words that look like addresses into links, so a code inside such a word would be sent to the owner
 * of that address. The plain text shows which characters are adjacent across elements.
 */
const linkedCodeFault = (text: string): string | undefined => {
  const marked = splitTags(text)
    .map((piece) => ('tag' in piece && piece.tag === 'email_code' ? '\0' : piece.text))
    .join('');
  for (const word of marked.split(/[ \t\n\r\f]+/)) {
    if (word.includes('\0') && addressCharacter.test(word.replace(wordEnd, '')))
      return `${codeRule} Separate it from "${excerpt(word.replaceAll('\0', '{email_code}'))}".`;
  }
  return undefined;
};
