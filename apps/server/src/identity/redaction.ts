/** Stored texts of strangers are cut to this length. */
const maximumLength = 300;
const maximumItems = 40;

/** Ends a text that was cut. Such a text is shown, but not used as a value. */
export const cutMark = '…';

/** Without control and formatting characters, which could hide or reorder what owners read, and without passwords in addresses. */
export const cleanText = (text: string): string => {
  const plain = text
    .slice(0, 4 * maximumLength)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .replace(/(:\/\/)[^/@\s]*@/g, `$1${cutMark}@`);
  return plain.length > maximumLength ? `${plain.slice(0, maximumLength - 1).toWellFormed()}${cutMark}` : plain;
};

/** A message of several lines that may contain text of strangers, without characters that could hide or reorder it or that cannot be stored. */
export const cleanMessage = (text: string, maximum: number): string => {
  const plain = text
    .slice(0, 2 * maximum)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => (character === '\n' ? character : ''));
  return plain.length > maximum ? `${plain.slice(0, maximum - 1).toWellFormed()}${cutMark}` : plain;
};

/** A value as it is stored: every text in it is cleaned, and lists are cut. */
export const clean = (value: unknown): unknown => {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.slice(0, maximumItems).map(clean);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, clean(each)]));
};

/** A name with only its first character and, of an email address, the domain. Short names are hidden completely. */
export const maskName = (name: string): string => {
  const [local = '', domain] = name.split('@');
  const masked = local.length > 3 ? `${local.slice(0, 1)}•••` : '•••';
  return domain === undefined ? masked : `${masked}@${domain}`;
};
