import { hostOf, releaseWith, type SamlApplication } from './application.ts';

export const googleWorkspace: SamlApplication = {
  id: 'google-workspace',
  name: 'Google Workspace',
  addressHint: 'The primary domain of your organisation at Google, such as https://example.org.',
  register: (base) => ({
    identity: `google.com/a/${hostOf(base)}`,
    acs: `https://www.google.com/a/${hostOf(base)}/acs`,
    sls: '',
    login_url: 'https://workspace.google.com/dashboard',
  }),
  release: releaseWith('emailAddress', []),
  configure: ({ ssoUrl, certificate }) => [
    {
      title: 'Admin console › Security › Authentication › SSO with third-party IdP › SSO profile for your organisation',
      fields: [
        ['Sign-in page URL', ssoUrl],
        ['Verification certificate', certificate],
        ['Use a domain specific issuer', 'Yes'],
      ],
    },
  ],
  hint: 'Google recognises people by their email address, which must be the same here. Super administrators of Google always sign in with their password there.',
};
