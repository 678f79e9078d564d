import { Attribute, maximumAttributes, proposeAttribute, SiteRelease } from '@opensocial/contract';
import type { SpDescription } from '@opensocial/saml';

type Services = SpDescription['attributeServices'];
type Service = Services[number];

/** Sentences for the administrator beside the release that a new site would begin with; null if there is nothing to propose. */
type Proposal = { release: SiteRelease | null; warnings: string[] };

/** Proposes attributes for those that the metadata of a service provider asks for. The default list comes first. */
export const proposeRelease = (services: Services): Proposal => {
  const warnings = missingAttributes(services);
  const unique = services.filter(({ index }, at) => services.findIndex((other) => other.index === index) === at);
  const [first, ...others] = unique.map((service) => ({ index: service.index, attributes: proposeList(service) }));
  if (!first || first.attributes.length === 0) return { release: null, warnings };
  const { data } = SiteRelease.safeParse({
    name_id_format: 'requested',
    name_id_source: 'email',
    attributes: first.attributes,
    attribute_index: first.index,
    further_attributes: others,
  });
  return data
    ? { release: data, warnings }
    : { release: null, warnings: [...warnings, 'The application asks for more attributes than a site can have.'] };
};

const proposeList = ({ attributes }: Service): Attribute[] => {
  const proposals = attributes.flatMap((requested) => Attribute.safeParse(proposeAttribute(requested)).data ?? []);
  const keyOf = ({ name, name_format }: Attribute) => JSON.stringify([name, name_format]);
  return [...new Map(proposals.map((proposal) => [keyOf(proposal), proposal])).values()].slice(0, maximumAttributes);
};

const maximumNamed = 10;

const missingAttributes = (services: Services): string[] => {
  const missing = services
    .flatMap(({ attributes }) => attributes)
    .filter((requested) => requested.isRequired && proposeAttribute(requested) === undefined)
    .map(({ name, friendlyName }) => (friendlyName ?? name).slice(0, 100));
  const names = [...new Set(missing)];
  if (names.length === 0) return [];
  const listed = names.slice(0, maximumNamed).join(', ');
  const more = names.length > maximumNamed ? ` and ${names.length - maximumNamed} more` : '';
  return [
    `The application requires attributes that are not known here: ${listed}${more}. Ask whether it works without them, or add them as constants under Attributes.`,
  ];
};
