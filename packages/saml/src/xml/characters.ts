/** Every character that XML 1.0 does not allow, including lone surrogates. */
const notXmlCharacter = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
const notXmlCharacters = new RegExp(notXmlCharacter, 'gu');

export const hasOnlyXmlCharacters = (text: string): boolean => !notXmlCharacter.test(text);

export const replaceNonXmlCharacters = (text: string): string => text.replace(notXmlCharacters, '\uFFFD');

/**
 * Replaces characters that xmldom misreads with character references, which have the same canonical form. xmldom treats
 * the first three as line ends, as in XML 1.1, and normalises them to newlines, so that the digest would no longer
 * match; it reports the last as an encoding error.
 */
export const protectCharacters = (xml: string): string =>
  misread.some((character) => xml.includes(character))
    ? xml.replace(/[\u0085\u2028\u2029\uFFFD]/g, (character) => `&#${character.charCodeAt(0)};`)
    : xml;

/** Hardly any message has one. To look for each by itself is faster than a regular expression. */
const misread = ['\u0085', '\u2028', '\u2029', '\uFFFD'];
