import type { SamlApplication } from './application.ts';

export const snipeIt: SamlApplication = {
  id: 'snipe-it',
  name: 'Snipe-IT',
  register: (base) => ({ identity: base, acs: `${base}/saml/acs`, sls: `${base}/saml/sls` }),
  signs: 'assertion',
  configure: ({ entityId }) => [
    {
      title: 'Admin Settings › SAML',
      fields: [
        ['SAML enabled', 'Yes'],
        ['SAML IdP Metadata', entityId],
        ['Attribute Mapping - Username', 'email'],
      ],
    },
  ],
  hint: 'The user name in Snipe-IT has to be the email address. If it differs, map another attribute.',
};
