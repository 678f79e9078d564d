import { type Application, scopes } from './application.ts';

export const portainer: Application = {
  id: 'portainer',
  name: 'Portainer',
  authentication: 'secret',
  usesPkce: false,
  redirectUris: (base) => [`${base}/`],
  configure: ({ base, client_id, secret, endpoints }) => [
    {
      title: 'Settings, Authentication, OAuth, Custom',
      fields: [
        ['Client ID', client_id],
        ['Client secret', secret],
        ['Authorization URL', endpoints.authorization],
        ['Access token URL', endpoints.token],
        ['Resource URL', endpoints.userinfo],
        ['Redirect URL', `${base}/`],
        ['Logout URL', endpoints.logout],
        ['User identifier', 'email'],
        ['Scopes', scopes.join(' ')],
        ['Auth style', 'In Header'],
      ],
    },
  ],
  hint: 'Switch on Automatic user provisioning, or add people by their email addresses. Only the Business Edition uses groups: its Claim name is groups.',
};
