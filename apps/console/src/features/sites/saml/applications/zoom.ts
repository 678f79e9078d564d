import { releaseWith, type SamlApplication } from './application.ts';

export const zoom: SamlApplication = {
  id: 'zoom',
  name: 'Zoom',
  addressHint: 'Your vanity URL, such as https://example.zoom.us.',
  register: (base) => ({ identity: base, acs: `${base}/saml/SSO`, sls: '', login_url: `${base}/signin` }),
  release: releaseWith('emailAddress'),
  configure: ({ base, entityId, ssoUrl, sloUrl, certificate }) => [
    {
      title: 'Admin › Advanced › Single Sign-On',
      fields: [
        ['Sign-in page URL', ssoUrl],
        ['Sign-out page URL', sloUrl],
        ['Identity provider certificate', certificate],
        ['Service Provider (SP) Entity ID', base],
        ['Issuer (IDP Entity ID)', entityId],
        ['Binding', 'HTTP-Redirect'],
        ['Signature Hash Algorithm', 'SHA-256'],
        ['SAML Response Mapping: Email Address', 'email'],
        ['SAML Response Mapping: First Name', 'firstname'],
        ['SAML Response Mapping: Last Name', 'lastname'],
      ],
    },
  ],
  hint: 'Needs an approved vanity URL. Leave "Sign SAML request" off, unless you enter the certificate of Zoom here.',
};
