import type { SamlApplication } from './application.ts';

/** Jira and Confluence have the same add-on. */
const dataCenter = (id: string, name: string): SamlApplication => ({
  id,
  name,
  register: (base) => ({ identity: base, acs: `${base}/plugins/servlet/samlconsumer`, sls: '' }),
  configure: ({ entityId, ssoUrl, certificate }) => [
    {
      title: 'Administration › System › Authentication methods › Add configuration › SAML single sign-on',
      fields: [
        ['Single sign-on issuer', entityId],
        ['Identity provider single sign-on URL', ssoUrl],
        ['X.509 Certificate', certificate],
        ['Username mapping', '${email}'],
        ['Display name', '${fullname}'],
        ['Email', '${email}'],
        ['Groups', '${groups}'],
      ],
    },
  ],
  hint: 'For Data Center, version 8 or newer. "Username mapping" has to give the user names that people have there. The last three fields are for just-in-time provisioning.',
});

export const jira = dataCenter('jira', 'Jira Data Center');
export const confluence = dataCenter('confluence', 'Confluence Data Center');
