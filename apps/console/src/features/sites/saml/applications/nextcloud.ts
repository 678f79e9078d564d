import type { SamlApplication } from './application.ts';

export const nextcloudSaml: SamlApplication = {
  id: 'nextcloud-saml',
  name: 'Nextcloud (SAML)',
  register: (base) => ({
    identity: `${base}/apps/user_saml/saml/metadata`,
    acs: `${base}/apps/user_saml/saml/acs`,
    sls: `${base}/apps/user_saml/saml/sls`,
  }),
  signs: 'assertion',
  configure: ({ entityId, ssoUrl, sloUrl, certificate }) => [
    {
      title: 'Administration settings › SSO & SAML authentication',
      fields: [
        ['Attribute to map the UID to', 'uid'],
        ['Identifier of the IdP entity', entityId],
        ['URL Target of the IdP where the SP will send the Authentication Request Message', ssoUrl],
        ['URL Location of the IdP where the SP will send the SLO Request', sloUrl],
        ['Public X.509 certificate of the IdP', certificate],
        ['Attribute mapping: displayname', 'fullname'],
        ['Attribute mapping: email address', 'email'],
        ['Attribute mapping: groups', 'groups'],
      ],
    },
  ],
  hint: 'Needs the app "SSO & SAML authentication" (user_saml). Without pretty URLs, its addresses begin with /index.php/apps: correct them in the panel of the site under Single sign-on, Edit SSO parameters.',
};
