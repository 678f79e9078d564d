import { hostOf, type SamlApplication } from './application.ts';

export const moodle: SamlApplication = {
  id: 'moodle',
  name: 'Moodle',
  register: (base) => ({
    identity: `${base}/auth/saml2/sp/metadata.php`,
    acs: `${base}/auth/saml2/sp/saml2-acs.php/${hostOf(base)}`,
    sls: `${base}/auth/saml2/sp/saml2-logout.php/${hostOf(base)}`,
  }),
  signs: 'assertion',
  configure: ({ entityId }) => [
    {
      title: 'Site administration › Plugins › Authentication › SAML2',
      fields: [
        ['IdP metadata xml OR public xml URL', entityId],
        ['Mapping IdP', 'uid'],
        ['Mapping Moodle', 'Username'],
        ['Data mapping (First name)', 'firstname'],
        ['Data mapping (Last name)', 'lastname'],
        ['Data mapping (Email address)', 'email'],
      ],
    },
  ],
  hint: 'Needs the plugin "SAML2 Single sign on" (auth_saml2) by Catalyst. Switch it on under Manage authentication, and auto-create users if people have no account in Moodle yet.',
};
