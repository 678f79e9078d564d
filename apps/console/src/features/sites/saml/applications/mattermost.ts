import { linesOf } from '../../recipes/configuration.ts';
import type { SamlApplication } from './application.ts';

const consumer = (base: string): string => `${base}/login/sso/saml`;

export const mattermost: SamlApplication = {
  id: 'mattermost',
  name: 'Mattermost',
  register: (base) => ({ identity: consumer(base), acs: consumer(base), sls: '' }),
  configure: ({ base, entityId, ssoUrl, certificate }) => [
    {
      title: 'System Console › Authentication › SAML 2.0',
      fields: [
        ['Identity Provider Metadata URL', entityId],
        ['SAML SSO URL', ssoUrl],
        ['Identity Provider Issuer URL', entityId],
        ['Service Provider Identifier', consumer(base)],
        ['Service Provider Login URL', consumer(base)],
        ['Email Attribute', 'email'],
        ['Username Attribute', 'email'],
        ['Id Attribute', 'uid'],
        ['First Name Attribute', 'firstname'],
        ['Last Name Attribute', 'lastname'],
      ],
    },
    { title: 'Identity Provider Public Certificate, to upload as a file', text: linesOf(certificate.trim()) },
  ],
  hint: 'Needs a paid plan of Mattermost. Switch "Verify Signature" on, and "Enable Encryption" off unless you enter an encryption certificate here.',
};
