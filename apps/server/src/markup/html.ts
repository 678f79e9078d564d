import { fromHtml } from 'hast-util-from-html';
import { type Schema, sanitize } from 'hast-util-sanitize';
import { toHtml } from 'hast-util-to-html';

export type Root = ReturnType<typeof fromHtml>;
export type Node = Root['children'][number];
export type Element = Extract<Node, { type: 'element' }>;

/** The allowed elements and attributes, as hast-util-sanitize takes them, and the allowed CSS properties. */
export type HtmlRules = { schema: Schema; styles: ReadonlySet<string> };

export class UnreadableHtml extends Error {}

/** Elements that are removed with their content, because it is not text for readers. */
const stripped =
  'script style title template noscript noembed noframes iframe object svg math select textarea xmp plaintext'.split(
    ' ',
  );

/** Parses HTML and removes everything that the rules do not allow. */
export const cleanHtml = (html: string, { schema, styles }: HtmlRules): Root => {
  try {
    const clean = sanitize(fromHtml(html, { fragment: true }), { strip: stripped, ...schema });
    const root: Root = clean.type === 'root' ? clean : { type: 'root', children: [] };
    eachElement(root, (element) => cleanStyle(element, styles));
    return root;
  } catch (error) {
    // The parser and the sanitizer are recursive, so deeply nested markup overflows the stack.
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
  const cleanedStyle = typeof style === 'string' ? harmlessStyle(style, styles) : '';
  element.properties = cleanedStyle === '' ? properties : { ...properties, style: cleanedStyle };
};

/**
 * No backslash, brace, star or angle bracket: without them CSS has no escapes or comments, and a value cannot end
 * early.
 */
const plainValue = /^[\w\s#.,%()'"!+/-]*$/;
const functions = new Set(['rgb', 'rgba', 'hsl', 'hsla']);

/** Keeps the declarations that only affect appearance; none that can load a resource remains. */
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
