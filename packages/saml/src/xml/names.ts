export const namespaces = {
  samlp: 'urn:oasis:names:tc:SAML:2.0:protocol',
  saml: 'urn:oasis:names:tc:SAML:2.0:assertion',
  md: 'urn:oasis:names:tc:SAML:2.0:metadata',
  ds: 'http://www.w3.org/2000/09/xmldsig#',
  ec: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  xenc: 'http://www.w3.org/2001/04/xmlenc#',
  alg: 'urn:oasis:names:tc:SAML:metadata:algsupport',
  soap: 'http://schemas.xmlsoap.org/soap/envelope/',
  xs: 'http://www.w3.org/2001/XMLSchema',
  xsi: 'http://www.w3.org/2001/XMLSchema-instance',
} as const;

export type Prefix = keyof typeof namespaces;

export const nameIdFormats = {
  emailAddress: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  unspecified: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
} as const;

export const bindings = {
  redirect: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
  post: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
  soap: 'urn:oasis:names:tc:SAML:2.0:bindings:SOAP',
} as const;

export const attributeNameFormats = {
  basic: 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic',
  uri: 'urn:oasis:names:tc:SAML:2.0:attrname-format:uri',
  unspecified: 'urn:oasis:names:tc:SAML:2.0:attrname-format:unspecified',
} as const;

export const bearerMethod = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/** The authentication context classes that responses state. */
export const authnContexts = {
  passwordProtectedTransport: 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport',
  timeSyncToken: 'urn:oasis:names:tc:SAML:2.0:ac:classes:TimeSyncToken',
  unspecified: 'urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified',
  refedsMfa: 'https://refeds.org/profile/mfa',
  refedsSfa: 'https://refeds.org/profile/sfa',
} as const;
