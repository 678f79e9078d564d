import { linesOf, providerLabel } from '../../recipes/configuration.ts';
import { iniText } from '../../recipes/quoting.ts';
import { type Application, scopes } from './application.ts';

export const grafana: Application = {
  id: 'grafana',
  name: 'Grafana',
  authentication: 'secret',
  usesPkce: true,
  redirectUris: (base) => [`${base}/login/generic_oauth`],
  configure: ({ base, client_id, secret, endpoints }) => [
    {
      title: 'grafana.ini',
      text: linesOf(
        '[server]',
        `root_url = ${iniText(`${base}/`)}`,
        '',
        '[auth.generic_oauth]',
        'enabled = true',
        `name = ${providerLabel}`,
        `client_id = ${iniText(client_id)}`,
        `client_secret = ${iniText(secret)}`,
        `scopes = ${scopes.join(' ')}`,
        `auth_url = ${iniText(endpoints.authorization)}`,
        `token_url = ${iniText(endpoints.token)}`,
        `api_url = ${iniText(endpoints.userinfo)}`,
        `signout_redirect_url = ${iniText(endpoints.logout)}`,
        'auth_style = InHeader',
        'use_pkce = true',
        'allow_sign_up = true',
        'login_attribute_path = email',
        'email_attribute_path = email',
        'name_attribute_path = name',
        'groups_attribute_path = groups',
        `role_attribute_path = contains(groups[*], 'grafana-admins') && 'Admin' || contains(groups[*], 'grafana-editors') && 'Editor' || 'Viewer'`,
      ),
    },
  ],
  hint: 'Members of the groups grafana-admins and grafana-editors get these roles; change the names in the last line. Assign the groups to this site.',
};
