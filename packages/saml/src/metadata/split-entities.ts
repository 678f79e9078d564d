import { setImmediate } from 'node:timers/promises';
import { SamlError } from '../errors.ts';

/** An entity of a metadata document as a document of its own: with the namespaces and the validity that it inherits. */
export type EntityXml = { entityId: string; name: string; xml: string; isServiceProvider: boolean };

type Inherited = { namespaces: Map<string, string>; validUntil: string | undefined };

const boundary = /<(\/?)((?:[\w.-]+:)?)(EntitiesDescriptor|EntityDescriptor)(?=[\s/>])/g;

const attribute = /\s([\w.:-]+)\s*=\s*("[^"<]*"|'[^'<]*')/g;

const attributesOf = (tag: string): Map<string, string> =>
  new Map([...tag.matchAll(attribute)].map(([, name = '', quoted = '']) => [name, quoted.slice(1, -1)]));

const isNamespace = (name: string): boolean => name === 'xmlns' || name.startsWith('xmlns:');

/** The end of the tag that begins at `start`, after its `>`. Metadata has no `>` in the values of these two elements. */
const tagEnd = (xml: string, start: number): number => {
  const end = xml.indexOf('>', start);
  if (end === -1) throw new SamlError('xml_malformed', { detail: 'A tag is not closed.' });
  return end + 1;
};

const inherit = (outer: Inherited, tag: string): Inherited => {
  const attributes = attributesOf(tag);
  return {
    namespaces: new Map([...outer.namespaces, ...[...attributes].filter(([name]) => isNamespace(name))]),
    validUntil: attributes.get('validUntil') ?? outer.validUntil,
  };
};

const decoded: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const decodeEntities = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name) => decoded[name] ?? '');

/** The name that the entity gives itself for people, if possible in English. */
const displayNameOf = (xml: string): string => {
  const names = [...xml.matchAll(/<(?:[\w.-]+:)?(?:Organization)?DisplayName([^>]*)>([^<]*)</g)];
  const chosen = names.find(([, attributes = '']) => /xml:lang=["']en/.test(attributes)) ?? names[0];
  return decodeEntities(chosen?.[2]?.trim() ?? '').slice(0, 200);
};

const toEntity = (tag: string, rest: string, outer: Inherited): EntityXml => {
  const attributes = attributesOf(tag);
  const added = [...outer.namespaces].filter(([name]) => !attributes.has(name));
  if (outer.validUntil !== undefined && !attributes.has('validUntil')) added.push(['validUntil', outer.validUntil]);
  const inherited = added.map(([name, value]) => ` ${name}="${value.replaceAll('"', '&quot;')}"`).join('');
  const isEmpty = tag.endsWith('/>');
  const opening = `${tag.slice(0, isEmpty ? -2 : -1)}${inherited}${isEmpty ? '/>' : '>'}`;
  return {
    entityId: decodeEntities(attributes.get('entityID') ?? ''),
    name: displayNameOf(rest),
    xml: `${opening}${rest}`,
    isServiceProvider: /<(?:[\w.-]+:)?SPSSODescriptor[\s/>]/.test(rest),
  };
};

/**
 * Splits plain metadata markup into its entities. A federation publishes thousands in one document of many megabytes, so they are found by
 * their tags instead of parsing everything, and the event loop gets a turn every few hundred entities.
 */
export const splitEntities = async (xml: string, maximumEntities: number): Promise<EntityXml[]> => {
  const found: EntityXml[] = [];
  const outer: Inherited[] = [{ namespaces: new Map(), validUntil: undefined }];
  const scan = new RegExp(boundary);
  for (let match = scan.exec(xml); match !== null; match = scan.exec(xml)) {
    const [, closing, prefix = '', name] = match;
    const contentStart = tagEnd(xml, match.index);
    const tag = xml.slice(match.index, contentStart);
    const inherited = outer.at(-1);
    if (closing !== '' || !inherited) outer.pop();
    else if (name === 'EntitiesDescriptor') {
      if (!tag.endsWith('/>')) outer.push(inherit(inherited, tag));
    } else {
      const end = tag.endsWith('/>') ? contentStart : endOfEntity(xml, `</${prefix}EntityDescriptor`, contentStart);
      found.push(toEntity(tag, xml.slice(contentStart, end), inherited));
      scan.lastIndex = end;
      if (found.length > maximumEntities)
        throw new SamlError('message_too_large', { detail: 'It has too many entities.' });
      if (found.length % 200 === 0) await setImmediate();
    }
  }
  return found;
};

const endOfEntity = (xml: string, closing: string, from: number): number => {
  const at = xml.indexOf(closing, from);
  if (at === -1) throw new SamlError('xml_malformed', { detail: 'An entity is not closed.' });
  return tagEnd(xml, at);
};
