import { SamlError } from '../errors.ts';

const decoders: Record<string, () => TextDecoder> = {
  'utf-8': () => new TextDecoder('utf-8', { fatal: true }),
  'utf-16le': () => new TextDecoder('utf-16le', { fatal: true }),
  'utf-16be': () => new TextDecoder('utf-16be', { fatal: true }),
  'iso-8859-1': () => new TextDecoder('iso-8859-1'),
  'us-ascii': () => new TextDecoder('utf-8', { fatal: true }),
};

const undecodable = (detail: string, cause?: unknown) => new SamlError('message_undecodable', { detail, cause });

/** The encoding by the byte order mark, otherwise by how the first character `<` is encoded, otherwise by the XML declaration. */
const encodingOf = (bytes: Uint8Array): string => {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  if (first === 0xef) return 'utf-8';
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  return (/^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.-]+)["']/.exec(head)?.[1] ?? 'utf-8').toLowerCase();
};

/** Decodes a metadata file, without its byte order mark and its XML declaration, which names the encoding of the bytes. */
export const decodeMetadata = (bytes: Uint8Array): string => {
  const encoding = encodingOf(bytes);
  const decoder = decoders[encoding]?.();
  if (!decoder)
    throw undecodable(`Its encoding ${encoding.slice(0, 40)} is not supported. Save it as UTF-8 and try again.`);
  try {
    return decoder
      .decode(bytes)
      .trimStart()
      .replace(/^<\?xml[^>]*\?>/, '')
      .trim();
  } catch (cause) {
    throw undecodable(`It is not ${encoding.toUpperCase()}, although it says so.`, cause);
  }
};

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The end of a construct, which must be closed. */
const endOf = (xml: string, closing: string, from: number): number => {
  const at = xml.indexOf(closing, from);
  if (at === -1) throw new SamlError('xml_malformed', { detail: 'A comment or another section is not closed.' });
  return at + closing.length;
};

/**
 * The same XML without comments and processing instructions, and with CDATA sections as text. Metadata is often written by hand and has
 * them; signed messages must not, see `assertPlainMarkup`. A document type is refused, because it can define entities.
 */
export const toPlainMarkup = (xml: string): string => {
  const kept: string[] = [];
  const special = /<[!?]/g;
  let from = 0;
  for (let match = special.exec(xml); match !== null; match = special.exec(xml)) {
    const open = match.index;
    kept.push(xml.slice(from, open));
    if (xml.startsWith('<!--', open)) from = endOf(xml, '-->', open + 4);
    else if (xml.startsWith('<?', open)) from = endOf(xml, '?>', open + 2);
    else if (xml.startsWith('<![CDATA[', open)) {
      from = endOf(xml, ']]>', open + 9);
      kept.push(xml.slice(open + 9, from - 3).replace(/[&<>]/g, (character) => escapes[character] ?? ''));
    } else throw new SamlError('markup_forbidden', { detail: 'It has a document type.' });
    special.lastIndex = from;
  }
  return [...kept, xml.slice(from)].join('');
};
