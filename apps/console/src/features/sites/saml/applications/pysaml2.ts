import { linesOf } from '../../recipes/configuration.ts';
import { shellText, singleQuoted } from '../../recipes/quoting.ts';
import type { SamlApplication } from './application.ts';

export const pysaml2: SamlApplication = {
  id: 'pysaml2',
  name: 'Python (pysaml2, djangosaml2)',
  register: (base) => ({
    identity: `${base}/saml2/metadata/`,
    acs: `${base}/saml2/acs/`,
    sls: `${base}/saml2/ls/`,
  }),
  configure: ({ base, entityId }) => [
    { title: 'Shell', text: linesOf(`curl -fo opensocial-idp.xml ${shellText(entityId)}`) },
    {
      title: 'Settings of pysaml2',
      text: linesOf(
        'import saml2',
        '',
        'SAML_CONFIG = {',
        `    'entityid': ${singleQuoted(`${base}/saml2/metadata/`)},`,
        "    'metadata': {'local': ['opensocial-idp.xml']},",
        "    'allow_unknown_attributes': True,",
        "    'service': {",
        "        'sp': {",
        "            'endpoints': {",
        `                'assertion_consumer_service': [(${singleQuoted(`${base}/saml2/acs/`)}, saml2.BINDING_HTTP_POST)],`,
        `                'single_logout_service': [(${singleQuoted(`${base}/saml2/ls/`)}, saml2.BINDING_HTTP_REDIRECT)],`,
        '            },',
        "            'authn_requests_signed': False,",
        "            'want_assertions_signed': True,",
        "            'want_response_signed': True,",
        '        },',
        '    },',
        '}',
      ),
    },
    {
      title: 'Django, additionally',
      text: linesOf(
        "SAML_DJANGO_USER_MAIN_ATTRIBUTE = 'email'",
        "SAML_ATTRIBUTE_MAPPING = {'email': ('email',), 'firstname': ('first_name',), 'lastname': ('last_name',)}",
      ),
    },
  ],
  hint: 'The addresses are those of djangosaml2. An application of your own may have others: correct them under Details.',
};
