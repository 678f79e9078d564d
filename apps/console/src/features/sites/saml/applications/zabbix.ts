import { linesOf } from '../../recipes/configuration.ts';
import type { SamlApplication } from './application.ts';

export const zabbix: SamlApplication = {
  id: 'zabbix',
  name: 'Zabbix',
  register: (base) => ({ identity: base, acs: `${base}/index_sso.php?acs`, sls: `${base}/index_sso.php?sls` }),
  configure: ({ base, entityId, ssoUrl, sloUrl, certificate }) => [
    {
      title: 'Users › Authentication › SAML settings',
      fields: [
        ['IdP entity ID', entityId],
        ['SSO service URL', ssoUrl],
        ['SLO service URL', sloUrl],
        ['Username attribute', 'email'],
        ['SP entity ID', base],
      ],
    },
    { title: 'ui/conf/certs/idp.crt', text: linesOf(certificate.trim()) },
  ],
  hint: 'The user name in Zabbix has to be the email address. Switch on "Enable SAML authentication" and case-sensitive login off.',
};
