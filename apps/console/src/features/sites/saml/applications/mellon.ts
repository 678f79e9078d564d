import { linesOf } from '../../recipes/configuration.ts';
import { apacheText, shellText } from '../../recipes/quoting.ts';
import type { SamlApplication } from './application.ts';

const folder = '/etc/apache2/saml';

/** The script names its files after the entity id, with every other character replaced by an underscore. */
const fileName = (entityId: string): string => entityId.replaceAll(/[^0-9A-Za-z.]/g, '_').replaceAll(/__+/g, '_');

export const mellon: SamlApplication = {
  id: 'mellon',
  name: 'Apache (mod_auth_mellon)',
  register: (base) => ({
    identity: `${base}/mellon/metadata`,
    acs: `${base}/mellon/postResponse`,
    sls: `${base}/mellon/logout`,
  }),
  configure: ({ base, entityId }) => {
    const own = `${base}/mellon/metadata`;
    const file = `${folder}/${fileName(own)}`;
    return [
      {
        title: 'Shell',
        text: linesOf(
          `sudo mkdir -p ${folder} && cd ${folder}`,
          `sudo mellon_create_metadata ${shellText(own)} ${shellText(`${base}/mellon`)}`,
          `sudo curl -fo idp.xml ${shellText(entityId)}`,
          'sudo a2enmod auth_mellon',
        ),
      },
      {
        title: 'In the virtual host',
        text: linesOf(
          '<Location "/">',
          '  MellonEnable auth',
          '  MellonEndpointPath /mellon',
          `  MellonSPPrivateKeyFile ${apacheText(`${file}.key`)}`,
          `  MellonSPCertFile ${apacheText(`${file}.cert`)}`,
          `  MellonSPMetadataFile ${apacheText(`${file}.xml`)}`,
          `  MellonIdPMetadataFile ${apacheText(`${folder}/idp.xml`)}`,
          '  MellonUser email',
          '  AuthType Mellon',
          '  Require valid-user',
          '  # Only for a group: MellonCond groups staff',
          '</Location>',
        ),
      },
      { title: 'Shell, afterwards', text: linesOf('sudo systemctl reload apache2') },
    ];
  },
  hint: 'Applications find the attributes in the variables MELLON_email, MELLON_fullname and MELLON_groups. To let us verify its messages, read its metadata again later: Single sign-on, Edit SSO parameters, certificate.',
};
