import type { Attribute, AttributeField, AttributeNameFormat } from './sites.attributes.schemas.ts';

type KnownAttribute = {
  /** The name in the format `uri`. */
  name: string;
  friendlyName: string;
  source: AttributeField | 'groups';
  /** Further names of the same attribute, in lower case. */
  aliases: readonly string[];
};

const claims = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';

/** The attributes that service providers usually ask for, with the source that each has here. */
export const knownAttributes: readonly KnownAttribute[] = [
  {
    name: 'urn:oid:0.9.2342.19200300.100.1.3',
    friendlyName: 'mail',
    source: 'email',
    aliases: ['email', 'emails', 'emailaddress', 'email_address', `${claims}/emailaddress`],
  },
  {
    name: 'urn:oid:2.5.4.42',
    friendlyName: 'givenName',
    source: 'firstname',
    aliases: ['firstname', 'first_name', 'given_name', `${claims}/givenname`],
  },
  {
    name: 'urn:oid:2.5.4.4',
    friendlyName: 'sn',
    source: 'lastname',
    aliases: ['surname', 'lastname', 'last_name', 'familyname', 'family_name', `${claims}/surname`],
  },
  {
    name: 'urn:oid:2.16.840.1.113730.3.1.241',
    friendlyName: 'displayName',
    source: 'fullname',
    aliases: ['fullname', 'full_name', 'name', 'display_name'],
  },
  { name: 'urn:oid:2.5.4.3', friendlyName: 'cn', source: 'fullname', aliases: ['commonname', 'common_name'] },
  {
    name: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.6',
    friendlyName: 'eduPersonPrincipalName',
    source: 'email',
    aliases: ['eppn', 'upn', `${claims}/upn`],
  },
  {
    name: 'urn:oid:0.9.2342.19200300.100.1.1',
    friendlyName: 'uid',
    source: 'uid',
    aliases: ['userid', 'user_id'],
  },
  {
    name: 'urn:oid:1.3.6.1.4.1.5923.1.5.1.1',
    friendlyName: 'isMemberOf',
    source: 'groups',
    aliases: [
      'groups',
      'group',
      'memberof',
      'member_of',
      'http://schemas.xmlsoap.org/claims/group',
      'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups',
    ],
  },
  {
    name: 'urn:oid:2.5.4.10',
    friendlyName: 'o',
    source: 'network',
    aliases: ['organization', 'organisation', 'network'],
  },
];

/** An attribute from a source that has no further settings than the name. */
export const attributeFrom = (
  source: AttributeField | 'groups',
  name: string,
  name_format: AttributeNameFormat,
  friendly_name = '',
): Attribute =>
  source === 'groups'
    ? { name, friendly_name, name_format, source, prefix: '', separator: '' }
    : { name, friendly_name, name_format, source };

export type RequestedAttribute = { name: string; nameFormat: AttributeNameFormat; friendlyName: string | undefined };

/** The attribute that satisfies a request in the metadata of a service provider; undefined if we have no such value. */
export const proposeAttribute = ({
  name,
  nameFormat,
  friendlyName = '',
}: RequestedAttribute): Attribute | undefined => {
  const known = findKnown(name) ?? (isMeaningless(name) ? findKnown(friendlyName) : undefined);
  return known && attributeFrom(known.source, name, nameFormat, friendlyName);
};

const findKnown = (given: string): KnownAttribute | undefined => {
  const key = given.trim().toLowerCase();
  return knownAttributes.find(
    ({ name, friendlyName, aliases }) =>
      name.toLowerCase() === key || friendlyName.toLowerCase() === key || aliases.includes(key),
  );
};

/** The friendly name is for people, and may be chosen at will, so it counts only for an OID that we do not know. */
const isMeaningless = (name: string): boolean => /^urn:oid:[\d.]+$/i.test(name.trim());
