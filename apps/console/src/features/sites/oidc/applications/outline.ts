import { type Application, linesOf, providerLabel } from './application.ts';
import { composeText } from './quoting.ts';

export const outline: Application = {
  id: 'outline',
  name: 'Outline',
  authentication: 'secret',
  usesPkce: false,
  redirectUris: (domain) => [`https://${domain}/auth/oidc.callback`],
  configure: ({ domain, client_id, secret, endpoints }) => [
    {
      title: 'compose.yaml',
      text: linesOf(
        'services:',
        '  outline:',
        '    environment:',
        `      URL: ${composeText(`https://${domain}`)}`,
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
