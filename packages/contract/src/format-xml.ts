const pieces = /<!--[^]*?-->|<(?:"[^"]*"|'[^']*'|[^"'>])*>|[^<]+/g;

/** XML with each element on a line of its own, indented, for reading. An element with text stays on one line. */
export const formatXml = (xml: string): string => {
  const lines: string[] = [];
  let depth = 0;
  let isText = false;
  for (const [piece] of xml.matchAll(pieces)) {
    // The indentation of the sender is replaced.
    if (piece.trim() === '') continue;
    const isClosing = piece.startsWith('</');
    if (isClosing) depth -= 1;
    const last = lines.length - 1;
    const opened = /^\s*<([^\s/>]+)/.exec(lines[last] ?? '')?.[1];
    const isEmpty = isClosing && opened === piece.slice(2, -1).trim() && !isText && !lines[last]?.includes('</');
    if (!piece.startsWith('<') || (isClosing && (isText || isEmpty))) lines[last] = `${lines[last] ?? ''}${piece}`;
    else lines.push(`${'  '.repeat(Math.max(0, depth))}${piece}`);
    isText = !piece.startsWith('<');
    if (/^<[^/?!]/.test(piece) && !piece.endsWith('/>')) depth += 1;
  }
  return lines.join('\n');
};
