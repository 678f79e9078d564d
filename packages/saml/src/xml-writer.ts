import { protectCharacters, replaceNonXmlCharacters } from './characters.ts';
import { namespaces, type Prefix } from './names.ts';

type ElementName = `${Prefix}:${string}`;
type Attributes = Readonly<Record<string, string | undefined>>;

/** Prefixes declared here because values beneath use them, such as the `xs` of `xsi:type="xs:string"`. */
type Declaring = { readonly declares: readonly Prefix[] };

/** An element whose canonical form is known. It declares all its prefixes itself, so the form is the same wherever it stands. */
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

type Pieces = { opening: string; content: string[]; closing: string };

const piecesOf = (node: XmlElement, inScope: ReadonlySet<Prefix>): Pieces => {
  const present = Object.entries(node.attributes)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .toSorted(([left], [right]) => byCodeUnits(sortKey(left), sortKey(right)));
  const names = present.map(([name]) => name);
  const declared = newPrefixes(node, names, inScope);
  const scope = declared.length === 0 ? inScope : new Set([...inScope, ...declared]);

  const declarations = declared.map((prefix) => ` xmlns:${prefix}="${namespaces[prefix]}"`).join('');
  const attributes = present.map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`).join('');
  return {
    opening: `<${node.name}${declarations}${attributes}>`,
    content: node.children.map((child) => (typeof child === 'string' ? escapeText(child) : canonical(child, scope))),
    closing: `</${node.name}>`,
  };
};

const noPrefixes: ReadonlySet<Prefix> = new Set();

/**
 * The exclusive canonical form (https://www.w3.org/TR/xml-exc-c14n/), prefixes in `declares` being treated as its
 * InclusiveNamespaces PrefixList. What is written is thus what is digested, with no parser between.
 */
export const canonical = (node: XmlElement | Written, inScope: ReadonlySet<Prefix> = noPrefixes): string => {
  if ('canonical' in node) return node.canonical;
  const { opening, content, closing } = piecesOf(node, inScope);
  return `${opening}${content.join('')}${closing}`;
};

/** An element, and what it becomes with a further one after its first child. */
export const canonicalAround = (node: XmlElement): { text: string; insert: (further: Written) => Written } => {
  const { opening, content, closing } = piecesOf(node, noPrefixes);
  const [first = '', ...rest] = content;
  return {
    text: `${opening}${content.join('')}${closing}`,
    insert: (further) => ({
      canonical: `${opening}${first}${further.canonical}${rest.join('')}${closing}`,
      declares: declaredPrefixes(node),
    }),
  };
};

export const declaredPrefixes = (node: XmlElement | Written): readonly Prefix[] =>
  'canonical' in node
    ? node.declares
    : [
        ...new Set([
          ...node.declares,
          ...node.children.flatMap((child) => (typeof child === 'string' ? [] : declaredPrefixes(child))),
        ]),
      ];

export const write = (node: XmlElement | Written): string => protectCharacters(canonical(node));
