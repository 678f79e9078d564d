import { createHash } from 'node:crypto';
import { DOMParser, type Element, type Node, onWarningStopParsing } from '@xmldom/xmldom';
import {
  allowedElements,
  attributeOf,
  drawingElements,
  isReference,
  referenceAttributes,
  referencedElements,
  textElements,
} from './svg-allowlist.ts';
import { isWithinXmlLimits } from './xml-limits.ts';

const svgNamespace = 'http://www.w3.org/2000/svg';

/**
 * Returns sanitized SVG, or undefined if the markup contains no drawing. Known harmless elements are copied into new
 * markup instead of removing harmful ones, so that nothing can be overlooked. The function is idempotent.
 */
export const cleanSvg = (markup: string): string | undefined => {
  const root = parse(markup);
  if (!root || root.localName !== 'svg' || !isSvg(root) || !hasDrawing(root)) return undefined;
  // Ids must be unique on a page with several drawings, and must not collide with ids that scripts of the page use.
  const digest = createHash('sha256')
    .update(write(root, identifiersOf(root, '')))
    .digest('hex');
  return write(root, identifiersOf(root, `svg-${digest.slice(0, 12)}-`));
};

/** The size that sanitized SVG declares, or the default size of browsers. */
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
  if (!isWithinXmlLimits(xml)) return undefined;
  try {
    const parser = new DOMParser({ locator: false, onError: onWarningStopParsing });
    return parser.parseFromString(xml, 'text/xml').documentElement ?? undefined;
  } catch {
    return undefined;
  }
};

/** Inline SVG is often written without the namespace. */
const isSvg = (element: Element): boolean => element.namespaceURI === svgNamespace || element.namespaceURI === null;

const childNodes = (element: Element): Node[] => {
  const nodes: Node[] = [];
  for (let node = element.firstChild; node !== null; node = node.nextSibling) nodes.push(node);
  return nodes;
};

const isKept = (node: Node): node is Element =>
  node.nodeType === node.ELEMENT_NODE &&
  isSvg(node as Element) &&
  allowedElements.has((node as Element).localName ?? '');

const keptChildren = (element: Element): Element[] => childNodes(element).filter(isKept);

const hasDrawing = (element: Element): boolean =>
  drawingElements.has(element.localName ?? '') || keptChildren(element).some(hasDrawing);

/** The new name of each id that can be referred to. */
type Identifiers = ReadonlyMap<string, string>;

const identifiersOf = (root: Element, prefix: string): Identifiers => {
  const given = new Set<string>();
  const collect = (element: Element): void => {
    const id = element.getAttribute('id');
    if (referencedElements.has(element.localName ?? '') && id) given.add(id);
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
  const within = isTarget || referencedElements.has(name);
  const content = childNodes(element)
    .map((node) => {
      if (isKept(node)) return write(node, identifiers, within);
      return textElements.has(name) && node.nodeType === node.TEXT_NODE ? escaped(node.nodeValue ?? '') : '';
    })
    .join('');
  const start = `${name}${isRoot ? ` xmlns="${svgNamespace}"` : ''}${written}`;
  return content === '' ? `<${start}/>` : `<${start}>${content}</${name}>`;
};

const attributesOf = (element: Element, identifiers: Identifiers, isTarget: boolean): Record<string, string> => {
  const kept: Record<string, string> = {};
  const id = identifiers.get(element.getAttribute('id') ?? '');
  if (id !== undefined && referencedElements.has(element.localName ?? '')) kept['id'] = id;
  for (const [name, given] of declarationsOf(element)) {
    const value = resolved(name, attributeOf(name, given), identifiers, isTarget);
    if (value !== undefined) kept[name] = value;
  }
  return kept;
};

/**
 * Resolves a reference to the new name of its target. Nested clips and masks are dropped, because each level multiplies
 * the rendering work.
 */
const resolved = (name: string, value: string | undefined, identifiers: Identifiers, isTarget: boolean) => {
  if (value === undefined || !isReference(value)) return value;
  const target =
    isTarget && referenceAttributes.has(name) ? undefined : identifiers.get(value.slice('url(#'.length, -1));
  return target && `url(#${target})`;
};

/** Attributes, followed by the declarations of the style attribute, which override them. */
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
