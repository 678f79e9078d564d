import { attributePresets } from '@opensocial/contract';
import { linesOf } from '../../recipes/configuration.ts';
import { xmlText } from '../../recipes/quoting.ts';
import { releaseWith, type SamlApplication } from './application.ts';

const eduPerson = attributePresets.find(({ id }) => id === 'eduperson');

export const shibboleth: SamlApplication = {
  id: 'shibboleth',
  name: 'Shibboleth Service Provider',
  register: (base) => ({
    identity: `${base}/shibboleth`,
    acs: `${base}/Shibboleth.sso/SAML2/POST`,
    sls: `${base}/Shibboleth.sso/SLO/Redirect`,
  }),
  release: releaseWith('requested', eduPerson?.attributes ? [...eduPerson.attributes] : null),
  signs: 'assertion',
  configure: ({ base, entityId }) => [
    {
      title: '/etc/shibboleth/shibboleth2.xml, instead of the elements that are there',
      text: linesOf(
        `<ApplicationDefaults entityID="${xmlText(`${base}/shibboleth`)}" REMOTE_USER="eppn mail">`,
        '  <Sessions lifetime="28800" timeout="3600" handlerSSL="true" cookieProps="https">',
        `    <SSO entityID="${xmlText(entityId)}">SAML2</SSO>`,
        '    <Logout>SAML2 Local</Logout>',
        '  </Sessions>',
        `  <MetadataProvider type="XML" validate="true" url="${xmlText(entityId)}"`,
        '    backingFilePath="opensocial-idp.xml" maxRefreshDelay="7200"/>',
        '  <AttributeExtractor type="XML" validate="true" path="attribute-map.xml"/>',
        '</ApplicationDefaults>',
      ),
    },
    {
      title: 'Apache',
      text: linesOf(
        '<Location "/secure">',
        '  AuthType shibboleth',
        '  ShibRequestSetting requireSession true',
        '  Require valid-user',
        '</Location>',
      ),
    },
    { title: 'Shell', text: linesOf('sudo systemctl restart shibd', 'sudo systemctl reload apache2') },
  ],
  hint: 'It gets the eduPerson attributes, which its attribute-map.xml knows: eppn, mail, displayName, givenName and sn. For groups, remove the comment marks around isMemberOf there.',
};
