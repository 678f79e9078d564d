import { type NameId, nameIdFormats } from '@opensocial/saml';
import type { Destination } from '../destination/destinations.queries.ts';
import type { SamlRequest } from '../flow/sign-on-request.ts';
import { requestableFormats } from './release.ts';

/**
 * Whether the person has the name that a request asks for. A site with a fixed NameID knows people by that name only, and must not find
 * out whether somebody has another one. A site without one may use any name that it can request. A transient name is new each time, so it
 * names nobody.
 */
export const isSubject = (
  { site }: Destination,
  { nameId, nameIdFormat }: NonNullable<SamlRequest['subject']>,
  asserted: NameId,
  nameOf: (format: string) => NameId,
): boolean => {
  const isUnspecified = nameIdFormat === undefined || nameIdFormat === nameIdFormats.unspecified;
  if ((isUnspecified || nameIdFormat === asserted.format) && isSameName(asserted, nameId)) return true;
  if (site.name_id_format !== 'requested') return false;
  const format = isUnspecified ? nameIdFormats.emailAddress : nameIdFormat;
  return requestableFormats.includes(format) && isSameName(nameOf(format), nameId);
};

/** Email addresses are compared without regard to case. All other names have to be equal. */
const isSameName = ({ value }: NameId, given: string): boolean => {
  const name = given.trim();
  return name === value || (value.includes('@') && name.toLowerCase() === value.toLowerCase());
};
