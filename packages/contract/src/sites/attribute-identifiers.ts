/**
 * The names of attributes by which applications recognise a person, with a description. If two people could have the same value, or a
 * person could edit it, one could enter the account of the other.
 */
const identifiers: Readonly<Record<string, string>> = {
  'urn:oid:0.9.2342.19200300.100.1.1': 'uid',
  'urn:oid:0.9.2342.19200300.100.1.3': 'mail',
  'urn:oid:1.3.6.1.4.1.5923.1.1.1.6': 'eduPersonPrincipalName',
  'urn:oid:1.3.6.1.4.1.311.20.2.3': 'userPrincipalName',
  'urn:oid:1.3.6.1.4.1.5923.1.1.1.10': 'eduPersonTargetedID',
  'urn:oid:1.3.6.1.4.1.5923.1.1.1.13': 'eduPersonUniqueId',
  'urn:oasis:names:tc:saml:attribute:subject-id': 'subject-id',
  'urn:oasis:names:tc:saml:attribute:pairwise-id': 'pairwise-id',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier': 'nameidentifier',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress': 'emailaddress',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/upn': 'upn',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name': 'name',
  'https://aws.amazon.com/saml/attributes/rolesessionname': 'RoleSessionName',
  uid: 'uid',
  userid: 'userid',
  user_id: 'user_id',
  username: 'username',
  user_name: 'user_name',
  login: 'login',
  email: 'email',
  emails: 'emails',
  mail: 'mail',
  emailaddress: 'emailAddress',
  edupersonprincipalname: 'eduPersonPrincipalName',
  eppn: 'eppn',
  upn: 'upn',
  userprincipalname: 'userPrincipalName',
  samaccountname: 'sAMAccountName',
  preferred_username: 'preferred_username',
  nameid: 'NameID',
  'user.email': 'User.Email',
};

/** The usual name of an attribute that identifies people; undefined for any other attribute. */
export const describeIdentifier = (name: string): string | undefined => {
  const key = name.trim().toLowerCase();
  return Object.hasOwn(identifiers, key) ? identifiers[key] : undefined;
};

/** Sources with another value for each person, which the person cannot edit. */
const uniqueSources: readonly string[] = ['uid', 'email', 'persistent_id'];

export const isUniqueSource = (source: string): boolean => uniqueSources.includes(source);
