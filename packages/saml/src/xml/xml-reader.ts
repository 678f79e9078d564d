import { DOMParser, type Element, type Node, onWarningStopParsing } from '@xmldom/xmldom';
import { SamlError } from '../errors.ts';
import { protectCharacters } from './characters.ts';
import { namespaces, type Prefix } from './names.ts';
import { assertPlainMarkup, type MarkupLimits } from './plain-markup.ts';

export type { Element } from '@xmldom/xmldom';

export type QualifiedName = `${Prefix}:${string}`;

const unexpected = (detail: string) => new SamlError('message_unexpected', { detail });

export const parseXml = (xml: string, limits?: MarkupLimits): Element => {
  assertPlainMarkup(xml, limits);
  try {
    const parser = new DOMParser({ locator: false, onError: onWarningStopParsing });
    const root = parser.parseFromString(protectCharacters(xml), 'text/xml').documentElement;
    if (root !== null) return root;
  } catch (cause) {
    throw new SamlError('xml_malformed', { cause });
  }
  throw new SamlError('xml_malformed');
};

const isElement = (node: Node): node is Element => node.nodeType === node.ELEMENT_NODE;

const childNodes = (element: Element): Node[] => {
  const nodes: Node[] = [];
  for (let node = element.firstChild; node !== null; node = node.nextSibling) nodes.push(node);
  return nodes;
};

export const childElements = (element: Element): Element[] => childNodes(element).filter(isElement);

export const descendants = (element: Element): Element[] =>
  childElements(element).flatMap((child) => [child, ...descendants(child)]);

export const hasName = (element: Element, name: QualifiedName): boolean => {
  const [prefix, localName] = name.split(':') as [Prefix, string];
  return element.localName === localName && element.namespaceURI === namespaces[prefix];
};

export const childrenNamed = (element: Element, name: QualifiedName): Element[] =>
  childElements(element).filter((child) => hasName(child, name));

export const optionalChild = (element: Element, name: QualifiedName): Element | undefined => {
  const [child, second] = childrenNamed(element, name);
  if (second) throw unexpected(`${element.localName} has more than one ${name}.`);
  return child;
};

export const requiredChild = (element: Element, name: QualifiedName): Element => {
  const child = optionalChild(element, name);
  if (!child) throw unexpected(`${element.localName} has no ${name}.`);
  return child;
};

export const optionalAttribute = (element: Element, name: string): string | undefined =>
  element.getAttribute(name) ?? undefined;

export const requiredAttribute = (element: Element, name: string): string => {
  const value = optionalAttribute(element, name);
  if (value === undefined) throw unexpected(`${element.localName} has no ${name}.`);
  return value;
};

/** Refuses child elements, so that the result is the complete content of the element. */
export const textOf = (element: Element): string => {
  if (!childNodes(element).every((node) => node.nodeType === node.TEXT_NODE)) {
    throw unexpected(`${element.localName} has content other than text.`);
  }
  return element.textContent ?? '';
};
