/** Everything that XML 1.0 cannot carry, lone surrogates included. */
const notXmlCharacter = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
const notXmlCharacters = new RegExp(notXmlCharacter, 'gu');

export const hasOnlyXmlCharacters = (text: string): boolean => !notXmlCharacter.test(text);

export const replaceNonXmlCharacters = (text: string): string => text.replace(notXmlCharacters, '\uFFFD');

/**
 * xmldom takes the first three for line ends, as XML 1.1 does, and would make them newlines, so that the digest no longer
 * matched; the last it suspects of being an encoding fault. Written as references they arrive unchanged, and their
 * canonical form is the same.
 */
export const protectCharacters = (xml: string): string =>
  xml.replace(/[\u0085\u2028\u2029\uFFFD]/g, (character) => `&#${character.charCodeAt(0)};`);
