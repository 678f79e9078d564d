import { attributeFrom } from './attribute-catalogue.ts';
import type { Attribute, NameIdFormat } from './sites.attributes.schemas.ts';

/** The attributes that every site gets unless it has a list of its own. */
export const defaultAttributes: readonly Attribute[] = [
  attributeFrom('uid', 'uid', 'basic'),
  attributeFrom('email', 'email', 'basic'),
  attributeFrom('firstname', 'firstname', 'basic'),
  attributeFrom('lastname', 'lastname', 'basic'),
  attributeFrom('fullname', 'fullname', 'basic'),
  attributeFrom('groups', 'groups', 'basic'),
  attributeFrom('network', 'network', 'basic'),
];

export type AttributePreset = {
  id: string;
  label: string;
  /** For which applications it is, and what is left to do. */
  description: string;
  name_id_format: NameIdFormat;
  /** Null is the default set. */
  attributes: readonly Attribute[] | null;
};

const oid = (source: Parameters<typeof attributeFrom>[0], number: string, friendlyName: string) =>
  attributeFrom(source, `urn:oid:${number}`, 'uri', friendlyName);

const claim = (source: Parameters<typeof attributeFrom>[0], name: string) =>
  attributeFrom(source, `http://schemas.xmlsoap.org/ws/2005/05/identity/claims/${name}`, 'unspecified');

const constant = (name: string, ...values: string[]): Attribute => ({
  name,
  friendly_name: '',
  name_format: 'uri',
  source: 'constant',
  values,
});

const aws = 'https://aws.amazon.com/SAML/Attributes';

/** Ready-made lists of attributes for common applications. An empty constant is for the administrator to fill in. */
export const attributePresets: readonly AttributePreset[] = [
  {
    id: 'default',
    label: 'OpenSocial (default)',
    description: 'Every site gets this unless it has a list of its own: user id, email, names, groups and network.',
    name_id_format: 'requested',
    attributes: null,
  },
  {
    id: 'eduperson',
    label: 'eduPerson / Research & Education',
    description:
      'For services of universities and research federations, which ask for attributes by their OID: eduPersonPrincipalName, mail, names and isMemberOf.',
    name_id_format: 'requested',
    attributes: [
      oid('email', '1.3.6.1.4.1.5923.1.1.1.6', 'eduPersonPrincipalName'),
      oid('email', '0.9.2342.19200300.100.1.3', 'mail'),
      oid('fullname', '2.16.840.1.113730.3.1.241', 'displayName'),
      oid('firstname', '2.5.4.42', 'givenName'),
      oid('lastname', '2.5.4.4', 'sn'),
      oid('groups', '1.3.6.1.4.1.5923.1.5.1.1', 'isMemberOf'),
    ],
  },
  {
    id: 'microsoft',
    label: 'Microsoft / WS-Federation claims',
    description:
      'For applications that were written for Active Directory Federation Services or Microsoft Entra ID, such as SharePoint.',
    name_id_format: 'requested',
    attributes: [
      claim('email', 'emailaddress'),
      claim('email', 'upn'),
      claim('email', 'name'),
      claim('firstname', 'givenname'),
      claim('lastname', 'surname'),
      attributeFrom('groups', 'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups', 'unspecified'),
    ],
  },
  {
    id: 'google',
    label: 'Google Workspace',
    description:
      'Google recognises people by the NameID, which must be their primary email address there. It needs no attributes, and refuses more than 2 kB of them.',
    name_id_format: 'emailAddress',
    attributes: [],
  },
  {
    id: 'aws',
    label: 'Amazon Web Services (IAM)',
    description:
      'For the AWS console and command line. Fill in Role: the ARN of the role and the ARN of the identity provider, joined by a comma. A session lasts an hour; change SessionDuration for another time.',
    name_id_format: 'persistent',
    attributes: [
      constant(`${aws}/Role`, ''),
      attributeFrom('email', `${aws}/RoleSessionName`, 'uri'),
      constant(`${aws}/SessionDuration`, '3600'),
    ],
  },
  {
    id: 'gitlab',
    label: 'GitLab',
    description: 'For GitLab.com groups and GitLab servers: a persistent NameID, email, names and groups.',
    name_id_format: 'persistent',
    attributes: [
      attributeFrom('email', 'email', 'basic'),
      attributeFrom('fullname', 'name', 'basic'),
      attributeFrom('firstname', 'first_name', 'basic'),
      attributeFrom('lastname', 'last_name', 'basic'),
      attributeFrom('groups', 'groups', 'basic'),
    ],
  },
  {
    id: 'github',
    label: 'GitHub Enterprise',
    description:
      'For GitHub Enterprise: a persistent NameID, username, full name and email. GitHub makes the username of the part of the address before the @.',
    name_id_format: 'persistent',
    attributes: [
      attributeFrom('email', 'username', 'basic'),
      attributeFrom('fullname', 'full_name', 'basic'),
      attributeFrom('email', 'emails', 'basic'),
    ],
  },
];
