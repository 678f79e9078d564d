import { createHash } from 'node:crypto';
import { DOMParser, type Element, type Node, onWarningStopParsing } from '@xmldom/xmldom';
import { attributeOf, drawn, elements, isReference, references, targets, texts } from './svg-words.ts';
import { isModestXml } from './xml-gate.ts';

const svgNamespace = 'http://www.w3.org/2000/svg';

/**
 * The drawing alone, or nothing where there is none. What is known to be harmless is copied into markup of our own writing;
 * nothing is taken out of the given, so nothing can be overlooked in it. Cleaned again it stays the same.
 */
export const cleanSvg = (markup: string): string | undefined => {
  const root = parse(markup);
  if (!root || root.localName !== 'svg' || !isSvg(root) || !hasDrawing(root)) return undefined;
  // On a page with other drawings an id must be this one's own, also one that a script of the page might look for.
  const digest = createHash('sha256')
    .update(write(root, identifiersOf(root, '')))
    .digest('hex');
  return write(root, identifiersOf(root, `svg-${digest.slice(0, 12)}-`));
};

/** How large a cleaned drawing is by its own words; without any, as large as browsers then draw it. */
export const sizeOfSvg = (clean: string): { width: number; height: number } => {
  const [root = ''] = /^<svg[^>]*>/.exec(clean) ?? [];
  const length = (name: string) => Math.round(Number(new RegExp(` ${name}="([\\d.]+)(?:px)?"`).exec(root)?.[1] ?? 0));
  const [, , boxWidth = 0, boxHeight = 0] = (/ viewBox="([^"]*)"/.exec(root)?.[1] ?? '')
    .split(/[\s,]+/)
    .map((part) => Math.round(Number(part)) || 0);
  const width = length('width') || boxWidth || 300;
  return { width, height: length('height') || boxHeight || 150 };
};

const parse = (markup: string): Element | undefined => {
  const xml = markup.replace(/^\uFEFF?\s*<\?xml\s[^<>?]*\?>/, '').trim();
  if (!isModestXml(xml)) return undefined;
  try {
    const parser = new DOMParser({ locator: false, onError: onWarningStopParsing });
    return parser.parseFromString(xml, 'text/xml').documentElement ?? undefined;
  } catch {
    return undefined;
  }
};

/** Markup for the inside of a page is often written without the namespace. */
const isSvg = (element: Element): boolean => element.namespaceURI === svgNamespace || element.namespaceURI === null;

const childNodes = (element: Element): Node[] => {
  const nodes: Node[] = [];
  for (let node = element.firstChild; node !== null; node = node.nextSibling) nodes.push(node);
  return nodes;
};

const isKept = (node: Node): node is Element =>
  node.nodeType === node.ELEMENT_NODE && isSvg(node as Element) && elements.has((node as Element).localName ?? '');

const keptChildren = (element: Element): Element[] => childNodes(element).filter(isKept);

const hasDrawing = (element: Element): boolean =>
  drawn.has(element.localName ?? '') || keptChildren(element).some(hasDrawing);

/** What each id that can be referred to is called in the copy. */
type Identifiers = ReadonlyMap<string, string>;

const identifiersOf = (root: Element, prefix: string): Identifiers => {
  const given = new Set<string>();
  const collect = (element: Element): void => {
    const id = element.getAttribute('id');
    if (targets.has(element.localName ?? '') && id) given.add(id);
    keptChildren(element).forEach(collect);
  };
  collect(root);
  return new Map([...given].map((id, index) => [id, `${prefix}${index}`]));
};

const write = (element: Element, identifiers: Identifiers, isTarget = false): string => {
  const name = element.localName ?? '';
  const isRoot = element.parentNode?.nodeType === element.DOCUMENT_NODE;
  const written = Object.entries(attributesOf(element, identifiers, isTarget))
    .map(([key, value]) => ` ${key}="${value}"`)
    .join('');
  const within = isTarget || targets.has(name);
  const content = childNodes(element)
    .map((node) => {
      if (isKept(node)) return write(node, identifiers, within);
      return texts.has(name) && node.nodeType === node.TEXT_NODE ? escaped(node.nodeValue ?? '') : '';
    })
    .join('');
  const start = `${name}${isRoot ? ` xmlns="${svgNamespace}"` : ''}${written}`;
  return content === '' ? `<${start}/>` : `<${start}>${content}</${name}>`;
};

const attributesOf = (element: Element, identifiers: Identifiers, isTarget: boolean): Record<string, string> => {
  const kept: Record<string, string> = {};
  const id = identifiers.get(element.getAttribute('id') ?? '');
  if (id !== undefined && targets.has(element.localName ?? '')) kept['id'] = id;
  for (const [name, given] of declarationsOf(element)) {
    const value = resolved(name, attributeOf(name, given), identifiers, isTarget);
    if (value !== undefined) kept[name] = value;
  }
  return kept;
};

/** A reference to what its target is called here. A clip or mask within another would double the work of the one around it. */
const resolved = (name: string, value: string | undefined, identifiers: Identifiers, isTarget: boolean) => {
  if (value === undefined || !isReference(value)) return value;
  const target = isTarget && references.has(name) ? undefined : identifiers.get(value.slice('url(#'.length, -1));
  return target && `url(#${target})`;
};

/** Attributes, and what a style attribute says instead of them, which counts for more. */
const declarationsOf = (element: Element): [name: string, value: string][] => {
  const attributes = Array.from({ length: element.attributes.length }, (_, index) => element.attributes.item(index));
  const own = attributes.flatMap((each) => (each && each.namespaceURI === null ? [each] : []));
  const styles = (element.getAttribute('style') ?? '').split(';').map((each) => each.split(':'));
  return [
    ...own.map((each): [string, string] => [each.name, each.value]),
    ...styles.flatMap(([name = '', value, ...rest]): [string, string][] =>
      value === undefined || rest.length > 0 ? [] : [[name.trim(), value]],
    ),
  ];
};

const escaped = (text: string): string => text.replaceAll(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
