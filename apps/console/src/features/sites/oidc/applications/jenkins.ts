import { linesOf } from '../../recipes/configuration.ts';
import { yamlText } from '../../recipes/quoting.ts';
import { type Application, scopes } from './application.ts';

export const jenkins: Application = {
  id: 'jenkins',
  name: 'Jenkins',
  authentication: 'secret',
  usesPkce: true,
  redirectUris: (base) => [`${base}/securityRealm/finishLogin`],
  configure: ({ client_id, secret, endpoints }) => [
    {
      title: 'jenkins.yaml (Configuration as Code)',
      text: linesOf(
        'jenkins:',
        '  securityRealm:',
        '    oic:',
        `      clientId: ${yamlText(client_id)}`,
        `      clientSecret: ${yamlText(secret)}`,
        '      serverConfiguration:',
        '        wellKnown:',
        `          wellKnownOpenIDConfigurationUrl: ${yamlText(endpoints.discovery)}`,
        `          scopesOverride: ${yamlText(scopes.join(' '))}`,
        '      userNameField: "email"',
        '      fullNameFieldName: "name"',
        '      emailFieldName: "email"',
        '      groupsFieldName: "groups"',
        '      logoutFromOpenidProvider: true',
        '      properties:',
        '        - "pkce"',
      ),
    },
  ],
  hint: 'Needs the plugin OpenID Connect Authentication (oic-auth). Give rights to groups by their names, for example with the matrix strategy. Set up an escape hatch there before you change the security realm.',
};
