const pieces = /<(?:"[^"]*"|[^">])*>|[^<]+/g;

/** XML with each element on a line of its own, indented, for reading. An element with text stays on one line. */
export const formatXml = (xml: string): string => {
  const lines: string[] = [];
  let depth = 0;
  let isText = false;
  for (const [piece] of xml.matchAll(pieces)) {
    const isClosing = piece.startsWith('</');
    if (isClosing) depth -= 1;
    const last = lines.length - 1;
    const isEmpty = isClosing && lines[last]?.trim().startsWith(`<${piece.slice(2, -1)}`) === true && !isText;
    if (!piece.startsWith('<') || (isClosing && (isText || isEmpty))) lines[last] = `${lines[last] ?? ''}${piece}`;
    else lines.push(`${'  '.repeat(depth)}${piece}`);
    isText = !piece.startsWith('<');
    if (/^<[^/?!]/.test(piece) && !piece.endsWith('/>')) depth += 1;
  }
  return lines.join('\n');
};
