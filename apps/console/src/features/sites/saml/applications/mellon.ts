import { linesOf, pathOf } from '../../recipes/configuration.ts';
import { apacheText, shellText } from '../../recipes/quoting.ts';
import type { SamlApplication } from './application.ts';

const folder = '/etc/apache2/saml';

/** The script names its files after the entity id, with every other character replaced by an underscore. */
const fileName = (entityId: string): string => entityId.replaceAll(/[^0-9A-Za-z.]/g, '_').replaceAll(/__+/g, '_');

/**
 * The module sets a test cookie with SameSite=None, which browsers accept only with Secure. Without this directive, a sign-in that begins
 * at the application ends with Bad Request. Secure cookies need https, so on http the module leaves out SameSite.
 */
const cookieDirective = (base: string): string =>
  base.startsWith('https://') ? 'MellonSecureCookie On' : 'SetEnvIf Request_URI "^" MELLON_DISABLE_SAMESITE=1';

/** Where applications link to. It is a path, so that it works with every name of the server. */
const signOutLink = (base: string): string => `${pathOf(base)}/mellon/logout?ReturnTo=${pathOf(base)}/`;

export const mellon: SamlApplication = {
  id: 'mellon',
  name: 'Apache (mod_auth_mellon)',
  register: (base) => ({
    identity: `${base}/mellon/metadata`,
    acs: `${base}/mellon/postResponse`,
    sls: `${base}/mellon/logout`,
    // The module protects the page and begins the sign-in itself.
    login_url: `${base}/`,
  }),
  signs: 'assertion',
  configure: ({ base, entityId }) => {
    const own = `${base}/mellon/metadata`;
    const file = `${folder}/${fileName(own)}`;
    return [
      {
        title: 'Shell, on the web server',
        text: linesOf(
          'sudo apt install libapache2-mod-auth-mellon',
          `sudo mkdir -p ${folder} && cd ${folder}`,
          `sudo mellon_create_metadata ${shellText(own)} ${shellText(`${base}/mellon`)}`,
          `sudo curl -fo idp.xml ${shellText(entityId)}`,
          'sudo a2enmod auth_mellon',
        ),
      },
      {
        title: 'In the virtual host',
        text: linesOf(
          `<Location ${apacheText(pathOf(base) || '/')}>`,
          '  MellonEnable auth',
          `  MellonEndpointPath ${apacheText(`${pathOf(base)}/mellon`)}`,
          `  ${cookieDirective(base)}`,
          `  MellonSPPrivateKeyFile ${apacheText(`${file}.key`)}`,
          `  MellonSPCertFile ${apacheText(`${file}.cert`)}`,
          `  MellonSPMetadataFile ${apacheText(`${file}.xml`)}`,
          `  MellonIdPMetadataFile ${apacheText(`${folder}/idp.xml`)}`,
          '  MellonUser email',
          '  AuthType Mellon',
          '  Require valid-user',
          '  # Only for a group: MellonCond groups staff',
          `  # Link that signs people out: ${signOutLink(base)}`,
          '</Location>',
        ),
      },
      { title: 'Shell, after you have saved the virtual host', text: linesOf('sudo systemctl restart apache2') },
    ];
  },
  hint: 'Applications find the attributes in the variables MELLON_email, MELLON_fullname and MELLON_groups. The sign-in works without a certificate of the application. To have its requests verified too, paste the .cert file of that folder later: in the panel of the site under Single sign-on, Edit SSO parameters.',
};
