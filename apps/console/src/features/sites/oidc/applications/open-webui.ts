import { linesOf, providerLabel } from '../../recipes/configuration.ts';
import { composeText } from '../../recipes/quoting.ts';
import { type Application, scopes } from './application.ts';

const redirectUri = (base: string): string => `${base}/oauth/oidc/callback`;

export const openWebUi: Application = {
  id: 'open-webui',
  name: 'Open WebUI',
  authentication: 'secret',
  usesPkce: true,
  redirectUris: (base) => [redirectUri(base)],
  configure: ({ base, client_id, secret, endpoints }) => [
    {
      title: 'compose.yaml',
      text: linesOf(
        'services:',
        '  open-webui:',
        '    environment:',
        `      WEBUI_URL: ${composeText(base)}`,
        `      OPENID_PROVIDER_URL: ${composeText(endpoints.discovery)}`,
        `      OPENID_REDIRECT_URI: ${composeText(redirectUri(base))}`,
        `      OAUTH_PROVIDER_NAME: ${composeText(providerLabel)}`,
        `      OAUTH_CLIENT_ID: ${composeText(client_id)}`,
        `      OAUTH_CLIENT_SECRET: ${composeText(secret)}`,
        `      OAUTH_SCOPES: ${composeText(scopes.join(' '))}`,
        '      OAUTH_CODE_CHALLENGE_METHOD: "S256"',
        '      ENABLE_OAUTH_SIGNUP: "true"',
        '      ENABLE_OAUTH_GROUP_MANAGEMENT: "true"',
        '      # Members of these groups become administrators.',
        '      ENABLE_OAUTH_ROLE_MANAGEMENT: "true"',
        '      OAUTH_ROLES_CLAIM: "groups"',
        '      OAUTH_ALLOWED_ROLES: "open-webui-users,open-webui-admins"',
        '      OAUTH_ADMIN_ROLES: "open-webui-admins"',
      ),
    },
  ],
  hint: 'Only members of the groups open-webui-users and open-webui-admins get in; change the names, or leave out the last four lines. Settings that were saved in Open WebUI take precedence.',
};
