import { linesOf, providerLabel } from '../../recipes/configuration.ts';
import { composeText } from '../../recipes/quoting.ts';
import type { Application } from './application.ts';

export const outline: Application = {
  id: 'outline',
  name: 'Outline',
  authentication: 'secret',
  usesPkce: false,
  redirectUris: (base) => [`${base}/auth/oidc.callback`],
  configure: ({ base, client_id, secret, endpoints }) => [
    {
      title: 'compose.yaml',
      text: linesOf(
        'services:',
        '  outline:',
        '    environment:',
        `      URL: ${composeText(base)}`,
        `      OIDC_CLIENT_ID: ${composeText(client_id)}`,
        `      OIDC_CLIENT_SECRET: ${composeText(secret)}`,
        `      OIDC_AUTH_URI: ${composeText(endpoints.authorization)}`,
        `      OIDC_TOKEN_URI: ${composeText(endpoints.token)}`,
        `      OIDC_USERINFO_URI: ${composeText(endpoints.userinfo)}`,
        `      OIDC_LOGOUT_URI: ${composeText(endpoints.logout)}`,
        `      OIDC_DISPLAY_NAME: ${composeText(providerLabel)}`,
        '      OIDC_USERNAME_CLAIM: "email"',
        '      OIDC_SCOPES: "openid profile email"',
      ),
    },
  ],
  hint: 'Outline recognises people by their email address, and does not use groups.',
};
