import { releaseWith, type SamlApplication } from './application.ts';

const attribute = (name: string, source: 'email' | 'firstname' | 'lastname') => ({
  name,
  friendly_name: '',
  name_format: 'unspecified' as const,
  source,
});

export const slack: SamlApplication = {
  id: 'slack',
  name: 'Slack',
  addressHint: 'The address of your workspace, such as https://example.slack.com.',
  register: (base) => ({ identity: base, acs: `${base}/sso/saml`, sls: '', login_url: base }),
  release: releaseWith('persistent', [
    attribute('User.Email', 'email'),
    attribute('first_name', 'firstname'),
    attribute('last_name', 'lastname'),
  ]),
  configure: ({ base, entityId, ssoUrl, certificate }) => [
    {
      title: 'Workspace settings › Authentication › SAML authentication',
      fields: [
        ['SAML SSO URL', ssoUrl],
        ['Identity Provider Issuer', entityId],
        ['Public Certificate', certificate],
        ['Advanced Options: Service Provider Issuer', base],
      ],
    },
  ],
  hint: 'Needs a plan of Slack with SAML. Under Advanced Options, leave "Sign the AuthnRequest" off, and tick both "Responses Signed" and "Assertions Signed".',
};
