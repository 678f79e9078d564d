import { linesOf } from '../../recipes/configuration.ts';
import { shellText, yamlText } from '../../recipes/quoting.ts';
import type { Application } from './application.ts';

export const kubernetes: Application = {
  id: 'kubernetes',
  name: 'Kubernetes (kubectl)',
  authentication: 'none',
  usesPkce: true,
  redirectUris: () => ['http://localhost:8000', 'http://localhost:18000'],
  configure: ({ client_id, endpoints }) => [
    {
      title: 'File for kube-apiserver --authentication-config',
      text: linesOf(
        '# Before Kubernetes 1.34: apiserver.config.k8s.io/v1beta1',
        'apiVersion: apiserver.config.k8s.io/v1',
        'kind: AuthenticationConfiguration',
        'jwt:',
        '  - issuer:',
        `      url: ${yamlText(endpoints.issuer)}`,
        '      audiences:',
        `        - ${yamlText(client_id)}`,
        '    claimMappings:',
        '      username:',
        '        claim: email',
        '        prefix: "oidc:"',
        '      groups:',
        '        claim: groups',
        '        prefix: "oidc:"',
      ),
    },
    {
      title: 'Shell of each person, with the plugin oidc-login (kubelogin)',
      text: linesOf(
        'kubectl krew install oidc-login',
        'kubectl config set-credentials oidc \\',
        '  --exec-api-version=client.authentication.k8s.io/v1 \\',
        '  --exec-interactive-mode=IfAvailable \\',
        '  --exec-command=kubectl \\',
        '  --exec-arg=oidc-login --exec-arg=get-token \\',
        `  --exec-arg=${shellText(`--oidc-issuer-url=${endpoints.issuer}`)} \\`,
        `  --exec-arg=${shellText(`--oidc-client-id=${client_id}`)} \\`,
        '  --exec-arg=--oidc-extra-scope=email \\',
        '  --exec-arg=--oidc-extra-scope=groups',
        'kubectl --user=oidc get nodes',
      ),
    },
    {
      title: 'Rights for a group',
      text: linesOf(
        'kubectl create clusterrolebinding oidc-admins --clusterrole=cluster-admin --group=oidc:kubernetes-admins',
      ),
    },
  ],
  hint: 'Many people share this client, so it has no secret: register it as a public client. The API server must reach the issuer by https. Members of the group kubernetes-admins become administrators; change its name.',
};
