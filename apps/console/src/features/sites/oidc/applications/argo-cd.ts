import { linesOf, providerLabel, providerName } from '../../recipes/configuration.ts';
import { shellText, yamlText } from '../../recipes/quoting.ts';
import { type Application, scopes } from './application.ts';

const secretKey = `oidc.${providerName}.clientSecret`;

export const argoCd: Application = {
  id: 'argo-cd',
  name: 'Argo CD',
  authentication: 'secret',
  usesPkce: false,
  redirectUris: (base) => [`${base}/auth/callback`],
  configure: ({ base, client_id, secret, endpoints }) => [
    {
      title: 'Shell',
      text: linesOf(
        `kubectl --namespace argocd patch secret argocd-secret --patch ${shellText(
          JSON.stringify({ stringData: { [secretKey]: secret } }),
        )}`,
      ),
    },
    {
      title: 'argocd-cm.yaml',
      text: linesOf(
        'apiVersion: v1',
        'kind: ConfigMap',
        'metadata:',
        '  name: argocd-cm',
        '  namespace: argocd',
        'data:',
        `  url: ${yamlText(base)}`,
        '  oidc.config: |',
        `    name: ${providerLabel}`,
        `    issuer: ${yamlText(endpoints.issuer)}`,
        `    clientID: ${yamlText(client_id)}`,
        `    clientSecret: $${secretKey}`,
        `    requestedScopes: [${scopes.map(yamlText).join(', ')}]`,
      ),
    },
    {
      title: 'argocd-rbac-cm.yaml',
      text: linesOf(
        'apiVersion: v1',
        'kind: ConfigMap',
        'metadata:',
        '  name: argocd-rbac-cm',
        '  namespace: argocd',
        'data:',
        "  scopes: '[groups, email]'",
        '  policy.default: role:readonly',
        '  policy.csv: |',
        '    g, argocd-admins, role:admin',
      ),
    },
  ],
  hint: 'Members of the group argocd-admins become administrators; change its name in the last line.',
};
