import { linesOf, pathOf } from '../../recipes/configuration.ts';
import { shellText, singleQuoted } from '../../recipes/quoting.ts';
import type { IdentityProviderValues, SamlApplication } from './application.ts';

/** The code for an application that has no framework for SAML: one function for each address, with the session of the browser. */
const ownApplication = ({ base, entityId, sloUrl }: IdentityProviderValues): string => {
  const path = pathOf(base);
  const start = singleQuoted(`${path}/`);
  return linesOf(
    'from saml2.client import Saml2Client',
    'from saml2.config import Config',
    'from saml2.ident import code, decode',
    '',
    `IDP, IDP_SIGN_OUT = ${singleQuoted(entityId)}, ${singleQuoted(sloUrl)}`,
    'REDIRECT = saml2.BINDING_HTTP_REDIRECT',
    'client = Saml2Client(Config().load(SAML_CONFIG))',
    '',
    '# "session" is the session of the browser, a dictionary that starts empty. We answer with a POST',
    '# from another site, so the cookie of that session needs SameSite=None and Secure. Each function',
    '# returns the address to which your page redirects.',
    '',
    'def begin_sign_in(session):',
    `    """GET ${path}/saml2/login/"""`,
    '    request_id, request = client.prepare_for_authenticate()',
    `    session['pending'] = {**session.get('pending', {}), request_id: ${start}}`,
    "    return dict(request['headers'])['Location']",
    '',
    'def finish_sign_in(form, session):',
    `    """POST ${path}/saml2/acs/ has the field SAMLResponse. Afterwards the session has the person."""`,
    "    pending = session.get('pending', {})",
    "    answer = client.parse_authn_request_response(form['SAMLResponse'], saml2.BINDING_HTTP_POST, pending)",
    '    session.clear()',
    "    session['name_id'] = code(answer.name_id)",
    "    session['index'] = answer.session_info()['session_index']",
    "    session['person'] = answer.get_identity()  # {'email': ['ana@example.org'], 'fullname': [...], 'groups': [...]}",
    `    return ${start}`,
    '',
    'def begin_sign_out(session):',
    `    """GET ${path}/saml2/logout/ is the sign-out link of your pages."""`,
    "    if 'name_id' not in session:",
    `        return ${start}`,
    "    name_id, index = decode(session['name_id']), session['index']",
    '    session.clear()',
    '    _, request = client.create_logout_request(IDP_SIGN_OUT, IDP, name_id=name_id, session_indexes=[index], sign=False)',
    "    return dict(client.apply_binding(REDIRECT, str(request), IDP_SIGN_OUT)['headers'])['Location']",
    '',
    'def answer_sign_out(query, session):',
    `    """GET ${path}/saml2/ls/ is called when the person signs out elsewhere, and after begin_sign_out."""`,
    "    if 'SAMLRequest' not in query:",
    `        return ${start}`,
    "    request = client.parse_logout_request(query['SAMLRequest'], REDIRECT).message",
    "    if session.get('name_id') == code(request.name_id):",
    '        session.clear()',
    '    answer = client.create_logout_response(request, [REDIRECT], sign=False)',
    "    destination = client.response_args(request, [REDIRECT])['destination']",
    "    relay_state = query.get('RelayState', '')",
    '    sent = client.apply_binding(REDIRECT, str(answer), destination, relay_state, response=True)',
    "    return dict(sent['headers'])['Location']",
  );
};

export const pysaml2: SamlApplication = {
  id: 'pysaml2',
  name: 'Python application (pysaml2, djangosaml2)',
  register: (base) => ({
    identity: `${base}/saml2/metadata/`,
    acs: `${base}/saml2/acs/`,
    sls: `${base}/saml2/ls/`,
    // The library refuses answers that it has not asked for, so a sign-in begins at the application.
    login_url: `${base}/saml2/login/`,
  }),
  signs: 'assertion',
  configure: (values) => [
    {
      title: 'Shell, in the folder of the application',
      text: linesOf(
        'sudo apt install xmlsec1',
        'pip install pysaml2  # with Django: djangosaml2',
        `curl -fo opensocial-idp.xml ${shellText(values.entityId)}`,
      ),
    },
    {
      title: 'Settings of pysaml2',
      text: linesOf(
        'import saml2',
        '',
        'SAML_CONFIG = {',
        `    'entityid': ${singleQuoted(`${values.base}/saml2/metadata/`)},`,
        "    'metadata': {'local': ['opensocial-idp.xml']},",
        "    'allow_unknown_attributes': True,",
        "    'service': {",
        "        'sp': {",
        "            'endpoints': {",
        `                'assertion_consumer_service': [(${singleQuoted(`${values.base}/saml2/acs/`)}, saml2.BINDING_HTTP_POST)],`,
        `                'single_logout_service': [(${singleQuoted(`${values.base}/saml2/ls/`)}, saml2.BINDING_HTTP_REDIRECT)],`,
        '            },',
        "            'authn_requests_signed': False,",
        "            'want_assertions_signed': True,",
        '            # The signature of the assertion is enough. The default of this setting is True.',
        "            'want_response_signed': False,",
        '        },',
        '    },',
        '}',
      ),
    },
    { title: 'Own application, additionally', text: ownApplication(values) },
    {
      title: 'Django, additionally',
      text: linesOf(
        "SAML_DJANGO_USER_MAIN_ATTRIBUTE = 'email'",
        "SAML_ATTRIBUTE_MAPPING = {'email': ('email',), 'firstname': ('first_name',), 'lastname': ('last_name',)}",
      ),
    },
  ],
  hint: 'The addresses are those of djangosaml2, which has these pages. If those of your own application differ, change them in the settings and in the panel of the site: under Single sign-on, Edit SSO parameters, and the Login URL under Site Details.',
};
