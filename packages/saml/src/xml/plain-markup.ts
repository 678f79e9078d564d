import { SamlError } from '../errors.ts';
import { hasOnlyXmlCharacters } from './characters.ts';

export const maximumMessageBytes = 256 * 1024;
const maximumDepth = 64;
const maximumAttributesPerElement = 100;

export type MarkupLimits = { bytes: number; elements: number; attributes: number };

/** Messages come from anybody, so their limits are low. */
const messageLimits: MarkupLimits = { bytes: maximumMessageBytes, elements: 3_000, attributes: 8_000 };

const declaration =
  /^<\?xml\s+version\s*=\s*(["'])1\.0\1(\s+encoding\s*=\s*(["'])utf-8\3)?(\s+standalone\s*=\s*(["'])(yes|no)\5)?\s*\?>/i;

const utf8 = new TextDecoder('utf-8', { fatal: true });

export const decodeText = (bytes: Uint8Array): string => {
  if (bytes.byteLength > maximumMessageBytes) throw new SamlError('message_too_large');
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new SamlError('message_undecodable', { detail: 'It is not UTF-8.', cause });
  }
};

const assertCharacters = (xml: string): void => {
  if (!hasOnlyXmlCharacters(xml)) throw new SamlError('markup_forbidden', { detail: 'It has a control character.' });
  for (const [, hexadecimal, digits] of xml.matchAll(/&#(x?)([0-9a-f]+);/gi)) {
    const code = Number.parseInt(digits ?? '', hexadecimal ? 16 : 10);
    if (code > 0x10ffff || !hasOnlyXmlCharacters(String.fromCodePoint(code))) {
      throw new SamlError('markup_forbidden', { detail: 'It refers to a character that XML does not have.' });
    }
  }
};

type Tag = { end: number; attributes: number };

/** Finds the end of the tag that begins before `start`. Quoted values are skipped, because they may contain `>`. */
const scanTag = (xml: string, start: number): Tag => {
  const interesting = /[<>"']/g;
  interesting.lastIndex = start;
  let attributes = 0;
  for (let match = interesting.exec(xml); match !== null; match = interesting.exec(xml)) {
    const [character] = match;
    if (character === '>') return { end: match.index, attributes };
    const close = character === '<' ? -1 : xml.indexOf(character, match.index + 1);
    if (close === -1) break;
    interesting.lastIndex = close + 1;
    attributes += 1;
  }
  throw new SamlError('xml_malformed', { detail: 'A tag is not closed.' });
};

/** Limits depth and size before parsing, because a parser would already have used the time and the stack. */
const assertTreeLimits = (xml: string, start: number, limits: MarkupLimits): void => {
  let depth = 0;
  let elements = 0;
  let attributes = 0;
  for (let open = xml.indexOf('<', start); open !== -1; ) {
    const kind = xml[open + 1];
    if (kind === '!' || kind === '?') {
      const detail = 'It has a document type, comment, CDATA section or processing instruction.';
      throw new SamlError('markup_forbidden', { detail });
    }
    const tag = scanTag(xml, open + 1);
    if (kind === '/') depth -= 1;
    else {
      elements += 1;
      attributes += tag.attributes;
      if (xml[tag.end - 1] !== '/') depth += 1;
    }
    if (depth > maximumDepth) throw new SamlError('markup_forbidden', { detail: 'It is nested too deeply.' });
    const isTooLarge = elements > limits.elements || attributes > limits.attributes;
    if (isTooLarge || tag.attributes > maximumAttributesPerElement) {
      throw new SamlError('message_too_large', { detail: 'It has too many elements or attributes.' });
    }
    open = xml.indexOf('<', tag.end);
  }
};

/**
 * Runs before every parse. xml-crypto accepts a signed NameID that was changed by inserting a processing instruction or
 * a comment, so messages must not contain either.
 */
export const assertPlainMarkup = (xml: string, limits: MarkupLimits = messageLimits): void => {
  if (Buffer.byteLength(xml) > limits.bytes) throw new SamlError('message_too_large');
  assertCharacters(xml);
  assertTreeLimits(xml, declaration.exec(xml)?.[0].length ?? 0, limits);
};
