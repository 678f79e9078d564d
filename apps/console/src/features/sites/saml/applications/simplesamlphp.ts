import { linesOf } from '../../recipes/configuration.ts';
import { singleQuoted } from '../../recipes/quoting.ts';
import { bareCertificate, type SamlApplication } from './application.ts';

const module = (base: string): string => `${base}/simplesaml/module.php/saml/sp`;

export const simpleSamlPhp: SamlApplication = {
  id: 'simplesamlphp',
  name: 'SimpleSAMLphp (as service provider)',
  register: (base) => ({
    identity: `${module(base)}/metadata.php/default-sp`,
    acs: `${module(base)}/saml2-acs.php/default-sp`,
    sls: `${module(base)}/saml2-logout.php/default-sp`,
  }),
  signs: 'assertion',
  configure: ({ base, entityId, ssoUrl, sloUrl, certificate }) => [
    {
      title: 'config/authsources.php',
      text: linesOf(
        "'default-sp' => [",
        "    'saml:SP',",
        `    'entityID' => ${singleQuoted(`${module(base)}/metadata.php/default-sp`)},`,
        `    'idp' => ${singleQuoted(entityId)},`,
        '],',
      ),
    },
    {
      title: 'metadata/saml20-idp-remote.php',
      text: linesOf(
        `$metadata[${singleQuoted(entityId)}] = [`,
        `    'SingleSignOnService' => ${singleQuoted(ssoUrl)},`,
        `    'SingleLogoutService' => ${singleQuoted(sloUrl)},`,
        `    'certData' => ${singleQuoted(bareCertificate(certificate))},`,
        '];',
      ),
    },
  ],
  hint: 'The addresses are those of a source with the name default-sp below /simplesaml. If yours differ, correct them in the panel of the site under Single sign-on, Edit SSO parameters.',
};
