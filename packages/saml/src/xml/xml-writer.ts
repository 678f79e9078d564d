import { protectCharacters, replaceNonXmlCharacters } from './characters.ts';
import { namespaces, type Prefix } from './names.ts';

type ElementName = `${Prefix}:${string}`;
type Attributes = Readonly<Record<string, string | undefined>>;

/** Prefixes that are declared here because attribute values below use them, such as `xs` in `xsi:type="xs:string"`. */
type Declaring = { readonly declares: readonly Prefix[] };

/**
 * An element that is already in canonical form. It declares all its prefixes itself, so the form does not depend on its
 * parent.
 */
export type Written = Declaring & { readonly canonical: string };

export type XmlElement = Declaring & {
  readonly name: ElementName;
  readonly attributes: Attributes;
  readonly children: readonly Child[];
};

type Child = XmlElement | Written | string;

export const element = (
  name: ElementName,
  attributes: Attributes = {},
  children: readonly (Child | undefined)[] = [],
  declares: readonly Prefix[] = [],
): XmlElement => ({ name, attributes, children: children.filter((child) => child !== undefined), declares });

const textEscapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#xD;' };
const attributeEscapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};

/** Fast path: most values contain no character that has to be escaped. */
const mayNeedEscaping = /[^\u0020\u0021\u0023-\u0025\u0027-\u003b\u003d\u003f-\ud7ff]/;

const escapeText = (text: string) =>
  mayNeedEscaping.test(text)
    ? replaceNonXmlCharacters(text).replace(/[&<>\r]/g, (character) => textEscapes[character] ?? character)
    : text;

export const escapeAttribute = (value: string) =>
  mayNeedEscaping.test(value)
    ? replaceNonXmlCharacters(value).replace(/[&<"\t\n\r]/g, (character) => attributeEscapes[character] ?? character)
    : value;

const prefixOf = (name: string): Prefix | undefined => {
  const colon = name.indexOf(':');
  return colon === -1 ? undefined : (name.slice(0, colon) as Prefix);
};

/** Sort order of canonical XML: attributes without a namespace first, then by namespace, then by name. */
const sortKey = (name: string): string => {
  const prefix = prefixOf(name);
  return prefix === undefined ? `\0${name}` : `${namespaces[prefix]}\0${name}`;
};

const byCodeUnits = (left: string, right: string) => (left < right ? -1 : Number(left > right));

const byNamespace = (left: string, right: string) => byCodeUnits(sortKey(left), sortKey(right));

type Scope = readonly Prefix[];

/** The prefixes that an element has to declare: those it uses that no ancestor has declared. */
const newPrefixes = ({ name, declares }: XmlElement, attributeNames: string[], inScope: Scope): Prefix[] => {
  const found: Prefix[] = [];
  const note = (prefix: Prefix | undefined) => {
    if (prefix !== undefined && !inScope.includes(prefix) && !found.includes(prefix)) found.push(prefix);
  };
  note(prefixOf(name));
  for (const attributeName of attributeNames) note(prefixOf(attributeName));
  for (const prefix of declares) note(prefix);
  return found.toSorted(byCodeUnits);
};

type Pieces = { opening: string; content: string[]; closing: string };

const piecesOf = (node: XmlElement, inScope: Scope): Pieces => {
  const names = Object.keys(node.attributes).filter((name) => node.attributes[name] !== undefined);
  if (names.length > 1) names.sort(byNamespace);
  const declared = newPrefixes(node, names, inScope);
  const scope = declared.length === 0 ? inScope : [...inScope, ...declared];

  let opening = `<${node.name}`;
  for (const prefix of declared) opening += ` xmlns:${prefix}="${namespaces[prefix]}"`;
  for (const name of names) opening += ` ${name}="${escapeAttribute(node.attributes[name] ?? '')}"`;
  return {
    opening: `${opening}>`,
    content: node.children.map((child) => (typeof child === 'string' ? escapeText(child) : canonical(child, scope))),
    closing: `</${node.name}>`,
  };
};

const noPrefixes: Scope = [];

/**
 * Writes an element in exclusive canonical form (https://www.w3.org/TR/xml-exc-c14n/); prefixes in `declares` are its
 * InclusiveNamespaces PrefixList. The digest is computed over exactly the text that is sent, without parsing it again.
 */
export const canonical = (node: XmlElement | Written, inScope: Scope = noPrefixes): string => {
  if ('canonical' in node) return node.canonical;
  const { opening, content, closing } = piecesOf(node, inScope);
  return `${opening}${content.join('')}${closing}`;
};

/**
 * The canonical form of an element, and a function that returns the same form with markup inserted after the first
 * child.
 */
export const canonicalWithInsertion = (node: XmlElement): { text: string; insert: (further: string) => string } => {
  const { opening, content, closing } = piecesOf(node, noPrefixes);
  const [first = '', ...others] = content;
  const before = `${opening}${first}`;
  const after = `${others.join('')}${closing}`;
  return { text: `${before}${after}`, insert: (further) => `${before}${further}${after}` };
};

const collectPrefixes = (node: XmlElement | Written, found: Set<Prefix>): Set<Prefix> => {
  for (const prefix of node.declares) found.add(prefix);
  if ('children' in node)
    for (const child of node.children) if (typeof child !== 'string') collectPrefixes(child, found);
  return found;
};

export const declaredPrefixes = (node: XmlElement): readonly Prefix[] => [...collectPrefixes(node, new Set())];

export const write = (node: XmlElement | Written): string => protectCharacters(canonical(node));
