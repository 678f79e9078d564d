import { providerName } from '../../recipes/configuration.ts';
import { bareCertificate, type SamlApplication } from './application.ts';

export const rocketChat: SamlApplication = {
  id: 'rocket-chat',
  name: 'Rocket.Chat',
  register: (base) => ({
    identity: `${base}/_saml/metadata/${providerName}`,
    acs: `${base}/_saml/validate/${providerName}`,
    sls: `${base}/_saml/logout/${providerName}/`,
  }),
  signs: 'assertion',
  configure: ({ base, ssoUrl, sloUrl, certificate }) => [
    {
      title: 'Workspace › Settings › SAML › Connection and Certificate',
      fields: [
        ['Custom Provider', providerName],
        ['Custom Entry Point', ssoUrl],
        ['IDP SLO Redirect URL', sloUrl],
        ['Custom Issuer', `${base}/_saml/metadata/${providerName}`],
        ['Custom Certificate', bareCertificate(certificate)],
      ],
    },
    {
      title: 'Workspace › Settings › SAML › Map User Data',
      fields: [['User Data Field Map', '{"username":"uid", "email":"email", "name": "fullname"}']],
    },
  ],
  hint: 'Choose "Validate Assertion Signature" under Signature Validation Type.',
};
