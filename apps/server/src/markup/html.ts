import { fromHtml } from 'hast-util-from-html';
import { type Schema, sanitize } from 'hast-util-sanitize';
import { toHtml } from 'hast-util-to-html';

export type Root = ReturnType<typeof fromHtml>;
export type Node = Root['children'][number];
export type Element = Extract<Node, { type: 'element' }>;

/** What may stay: elements and attributes as hast-util-sanitize takes them, and the properties of a style attribute. */
export type HtmlRules = { schema: Schema; styles: ReadonlySet<string> };

export class UnreadableHtml extends Error {}

/** Elements whose text is no text for a reader. They go with all they hold. */
const stripped =
  'script style title template noscript noembed noframes iframe object svg math select textarea xmp plaintext'.split(
    ' ',
  );

/** The tree of what somebody wrote, with nothing in it that the rules do not name. */
export const cleanHtml = (html: string, { schema, styles }: HtmlRules): Root => {
  try {
    const clean = sanitize(fromHtml(html, { fragment: true }), { strip: stripped, ...schema });
    const root: Root = clean.type === 'root' ? clean : { type: 'root', children: [] };
    eachElement(root, (element) => cleanStyle(element, styles));
    return root;
  } catch (error) {
    // Each part that reads a tree goes down into it by calling itself.
    if (error instanceof RangeError) throw new UnreadableHtml('The elements are nested too deeply.');
    throw error;
  }
};

export const writeHtml = (tree: Root): string => toHtml(tree, { characterReferences: { useNamedReferences: true } });

export const eachElement = (node: Root | Node, visit: (element: Element) => void): void => {
  if (node.type === 'element') visit(node);
  if ('children' in node) for (const child of node.children) eachElement(child, visit);
};

const cleanStyle = (element: Element, styles: ReadonlySet<string>): void => {
  const { style, ...properties } = element.properties;
  const kept = typeof style === 'string' ? harmlessStyle(style, styles) : '';
  element.properties = kept === '' ? properties : { ...properties, style: kept };
};

/** No backslash, brace, star or angle: nothing can be spelt another way, and a value ends where it seems to. */
const plainValue = /^[\w\s#.,%()'"!+/-]*$/;
const functions = new Set(['rgb', 'rgba', 'hsl', 'hsla']);

/** The declarations that only change how something looks; none that loads anything. */
export const harmlessStyle = (style: string, styles: ReadonlySet<string>): string =>
  style
    .split(';')
    .flatMap((declaration) => {
      const colon = declaration.indexOf(':');
      const property = declaration.slice(0, colon).trim().toLowerCase();
      const value = declaration.slice(colon + 1).trim();
      const called = [...value.matchAll(/([\w-]*)\s*\(/g)].map(([, name = '']) => name.toLowerCase());
      const isHarmless = plainValue.test(value) && called.every((name) => functions.has(name));
      return colon > 0 && value !== '' && styles.has(property) && isHarmless ? `${property}:${value}` : [];
    })
    .join(';');
