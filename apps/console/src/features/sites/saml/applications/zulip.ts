import { linesOf, providerName } from '../../recipes/configuration.ts';
import { shellText, singleQuoted } from '../../recipes/quoting.ts';
import type { SamlApplication } from './application.ts';

const folder = '/etc/zulip/saml/idps';

export const zulip: SamlApplication = {
  id: 'zulip',
  name: 'Zulip',
  register: (base) => ({ identity: base, acs: `${base}/complete/saml/`, sls: `${base}/complete/saml/` }),
  signs: 'assertion',
  configure: ({ base, entityId, ssoUrl, sloUrl, certificate }) => [
    {
      title: '/etc/zulip/settings.py',
      text: linesOf(
        "# Add 'zproject.backends.SAMLAuthBackend' to AUTHENTICATION_BACKENDS.",
        `SOCIAL_AUTH_SAML_SP_ENTITY_ID = ${singleQuoted(base)}`,
        'SOCIAL_AUTH_SAML_ENABLED_IDPS = {',
        `    ${singleQuoted(providerName)}: {`,
        `        'entity_id': ${singleQuoted(entityId)},`,
        `        'url': ${singleQuoted(ssoUrl)},`,
        `        'slo_url': ${singleQuoted(sloUrl)},`,
        "        'attr_user_permanent_id': 'uid',",
        "        'attr_first_name': 'firstname',",
        "        'attr_last_name': 'lastname',",
        "        'attr_username': 'email',",
        "        'attr_email': 'email',",
        "        'display_name': 'OpenSocial',",
        '    },',
        '}',
      ),
    },
    { title: `${folder}/${providerName}.crt`, text: linesOf(certificate.trim()) },
    {
      title: 'Shell',
      text: linesOf(
        `sudo chown -R zulip:zulip ${shellText('/etc/zulip/saml')}`,
        'sudo -u zulip /home/zulip/deployments/current/scripts/restart-server',
      ),
    },
  ],
  hint: 'Zulip needs to know its own address: EXTERNAL_HOST in settings.py is the host of the address above.',
};
