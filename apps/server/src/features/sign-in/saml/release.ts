import { type Attribute, defaultAttributes } from '@opensocial/contract';
import { nameIdFormats } from '@opensocial/saml';
import type { Destination } from '../destination/destinations.queries.ts';
import type { SamlRequest, SignOnRefusal } from '../flow/sign-on-request.ts';

type Site = Destination['site'];

/** What a site learns about a person in one assertion: the format of the NameID, and the attributes. */
export type Release = { nameIdFormat: string; attributes: readonly Attribute[] };

/** The parts of a request that choose between what a site may learn. */
export type ReleaseRequest = Pick<SamlRequest, 'nameIdFormat' | 'attributeIndex'>;

/**
 * What a site learns in answer to a request, or why the request cannot be granted. It is chosen when the request arrives, and again when
 * the response is built, because the settings of the site may have changed in the meantime.
 */
export const chooseRelease = (site: Site, request: ReleaseRequest): Release | SignOnRefusal => {
  const nameIdFormat = chooseNameIdFormat(site, request.nameIdFormat);
  if (nameIdFormat === undefined) return 'unsupported_name_id';
  const attributes = chooseAttributes(site, request.attributeIndex);
  return attributes ? { nameIdFormat, attributes } : 'unknown_attributes';
};

/** The formats that a request may ask for. */
export const requestableFormats: readonly string[] = [
  nameIdFormats.emailAddress,
  nameIdFormats.persistent,
  nameIdFormats.transient,
];

/** A site with a fixed format gets no other one. A request without a wish gets the fixed format, otherwise the email address. */
const chooseNameIdFormat = ({ name_id_format }: Site, requested: string | undefined): string | undefined => {
  if (name_id_format === 'requested') {
    const wanted = requested ?? nameIdFormats.emailAddress;
    return requestableFormats.includes(wanted) ? wanted : undefined;
  }
  const fixed = nameIdFormats[name_id_format];
  return requested === undefined || requested === fixed ? fixed : undefined;
};

/**
 * An index is unknown (undefined) if the site has indexes and none is the requested one. A site whose indexes are not known has only one
 * list.
 */
const chooseAttributes = (site: Site, index: number | undefined): readonly Attribute[] | undefined => {
  const { attributes, attribute_index, further_attributes } = site;
  const isOnly = attribute_index === null && further_attributes.length === 0;
  if (index === undefined || index === attribute_index || isOnly) return attributes ?? defaultAttributes;
  return further_attributes.find((list) => list.index === index)?.attributes;
};
