import { protectCharacters, replaceNonXmlCharacters } from './characters.ts';
import { namespaces, type Prefix } from './names.ts';

type ElementName = `${Prefix}:${string}`;
type Attributes = Readonly<Record<string, string | undefined>>;

export type XmlElement = {
  readonly name: ElementName;
  readonly attributes: Attributes;
  readonly children: readonly (XmlElement | string)[];
  /** Prefixes declared here because values beneath use them, such as the `xs` of `xsi:type="xs:string"`. */
  readonly declares: readonly Prefix[];
};

export const element = (
  name: ElementName,
  attributes: Attributes = {},
  children: readonly (XmlElement | string | undefined)[] = [],
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

const escapeText = (text: string) =>
  replaceNonXmlCharacters(text).replace(/[&<>\r]/g, (character) => textEscapes[character] ?? character);

const escapeAttribute = (value: string) =>
  replaceNonXmlCharacters(value).replace(/[&<"\t\n\r]/g, (character) => attributeEscapes[character] ?? character);

const prefixOf = (name: string): Prefix | undefined =>
  name.includes(':') ? (name.slice(0, name.indexOf(':')) as Prefix) : undefined;

/** Attributes without a namespace first, then by namespace, then by name. */
const sortKey = (name: string): string => {
  const prefix = prefixOf(name);
  return prefix === undefined ? `\0${name}` : `${namespaces[prefix]}\0${name}`;
};

const byCodeUnits = (left: string, right: string) => (left < right ? -1 : Number(left > right));

const newPrefixes = (node: XmlElement, attributeNames: string[], inScope: ReadonlySet<Prefix>): Prefix[] => {
  const used = [node.name, ...attributeNames].map(prefixOf).filter((prefix) => prefix !== undefined);
  return [...new Set([...used, ...node.declares])].filter((prefix) => !inScope.has(prefix)).toSorted(byCodeUnits);
};

/**
 * The exclusive canonical form (https://www.w3.org/TR/xml-exc-c14n/), prefixes in `declares` being treated as its
 * InclusiveNamespaces PrefixList. What is written is thus what is digested, with no parser between.
 */
export const canonical = (node: XmlElement, inScope: ReadonlySet<Prefix> = new Set()): string => {
  const present = Object.entries(node.attributes)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .toSorted(([left], [right]) => byCodeUnits(sortKey(left), sortKey(right)));
  const names = present.map(([name]) => name);
  const declared = newPrefixes(node, names, inScope);
  const scope = declared.length === 0 ? inScope : new Set([...inScope, ...declared]);

  const declarations = declared.map((prefix) => ` xmlns:${prefix}="${namespaces[prefix]}"`).join('');
  const attributes = present.map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`).join('');
  const content = node.children.map((child) =>
    typeof child === 'string' ? escapeText(child) : canonical(child, scope),
  );
  return `<${node.name}${declarations}${attributes}>${content.join('')}</${node.name}>`;
};

export const declaredPrefixes = (node: XmlElement): Prefix[] => [
  ...new Set([
    ...node.declares,
    ...node.children.flatMap((child) => (typeof child === 'string' ? [] : declaredPrefixes(child))),
  ]),
];

export const write = (node: XmlElement): string => protectCharacters(canonical(node));
