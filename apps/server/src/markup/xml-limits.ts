const maximumCharacters = 1024 * 1024;
const maximumDepth = 64;
const maximumElements = 20_000;
const maximumAttributesPerElement = 100;

/**
 * Whether XML is plain and small enough to parse: no document type, processing instruction, CDATA section or custom
 * entity, and limited depth and size. This runs before the parser, which would already have used the time.
 */
export const isWithinXmlLimits = (xml: string): boolean =>
  xml.length <= maximumCharacters && !hasCustomEntity(xml) && isWithinTreeLimits(xml);

const hasCustomEntity = (xml: string): boolean => /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/i.test(xml);

const isWithinTreeLimits = (xml: string): boolean => {
  let depth = 0;
  let elements = 0;
  for (let open = xml.indexOf('<'); open !== -1; ) {
    const end = xml.startsWith('<!--', open) ? endOfComment(xml, open) : undefined;
    const tag = end === undefined ? readTag(xml, open + 1) : undefined;
    if (end === undefined && !tag) return false;
    if (tag) {
      elements += tag.kind === 'end' ? 0 : 1;
      depth += { start: 1, end: -1, empty: 0 }[tag.kind];
      if (depth > maximumDepth || elements > maximumElements || tag.attributes > maximumAttributesPerElement)
        return false;
    }
    open = xml.indexOf('<', end ?? tag?.end);
  }
  return true;
};

const endOfComment = (xml: string, open: number): number => {
  const close = xml.indexOf('-->', open + 4);
  return close === -1 ? xml.length : close;
};

type Tag = { kind: 'start' | 'end' | 'empty'; end: number; attributes: number };

/** Reads the tag that begins before `start`. Quoted values are skipped, because they may contain `>`. */
const readTag = (xml: string, start: number): Tag | undefined => {
  if (xml[start] === '!' || xml[start] === '?') return undefined;
  const interesting = /[<>"']/g;
  interesting.lastIndex = start;
  let attributes = 0;
  for (let found = interesting.exec(xml); found !== null; found = interesting.exec(xml)) {
    if (found[0] === '<') return undefined;
    if (found[0] === '>') {
      const kind = xml[start] === '/' ? 'end' : xml[found.index - 1] === '/' ? 'empty' : 'start';
      return { kind, end: found.index, attributes };
    }
    const close = xml.indexOf(found[0], found.index + 1);
    if (close === -1) return undefined;
    interesting.lastIndex = close + 1;
    attributes += 1;
  }
  return undefined;
};
