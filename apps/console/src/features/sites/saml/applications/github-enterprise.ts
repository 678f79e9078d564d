import { releaseWith, type SamlApplication } from './application.ts';

export const githubEnterprise: SamlApplication = {
  id: 'github-enterprise',
  name: 'GitHub Enterprise Server',
  register: (base) => ({ identity: base, acs: `${base}/saml/consume`, sls: '', login_url: `${base}/login` }),
  release: releaseWith('persistent'),
  configure: ({ entityId, ssoUrl, certificate }) => [
    {
      title: 'Management Console › Settings › Authentication › SAML',
      fields: [
        ['Single sign-on URL', ssoUrl],
        ['Issuer', entityId],
        ['Signature Method', 'RSA-SHA256'],
        ['Digest Method', 'SHA256'],
        ['Name Identifier Format', 'persistent'],
        ['Verification certificate', certificate],
        ['User attributes: Username', 'email'],
        ['User attributes: Full name', 'fullname'],
        ['User attributes: Emails', 'email'],
      ],
    },
  ],
  hint: 'GitHub makes the user name from the part of the address before the @. Keep a site administrator who can sign in to the Management Console with its password.',
};
