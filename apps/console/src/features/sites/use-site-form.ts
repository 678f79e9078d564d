import { useForm } from '@mantine/form';
import { type Site, SiteChanges } from '@opensocial/contract';
import { schemaFaults } from '../../patterns/form/schema-faults.ts';

/** The values of the form. Pictures and the icon are saved when they are chosen. */
export type SiteValues = Omit<
  Site,
  'id' | 'name' | 'domain' | 'identity' | 'protocol' | 'logo' | 'background' | 'icon' | 'icon_bg'
>;

export const toValues = ({
  id: _id,
  name: _name,
  domain: _domain,
  identity: _identity,
  protocol: _protocol,
  logo: _logo,
  background: _background,
  icon: _icon,
  icon_bg: _picture,
  ...values
}: Site): SiteValues => values;

/** The labels of fields whose names are not readable. */
export const siteLabels: Readonly<Record<string, string>> = {
  site_name: 'Site Name',
  login_url: 'Login URL',
  domain_level_settings: 'Use domain level settings',
  terms_of_use: 'Terms of use URL',
  privacy_statement: 'Privacy URL',
  help_email: "'Need Help?' support email",
  mfa: 'Multi-factor Authentication',
  auth_options: 'Login types',
  text_color: 'Icon Text Color',
  text_background: 'Icon Text Background Color',
  icon_background: 'Icon Background Color',
  icon_width: 'Icon size',
  icon_bg: 'Icon Picture',
  acs: 'SSO ACS URL',
  sls: 'SSO SLS URL',
  sls_binding: 'Logout binding',
  sls_response: 'Response URL (if different)',
  sls_soap: 'Back channel (SOAP) URL',
  acs_index: 'Index of the default address',
  further_acs: 'Further ACS URLs',
  update_url: 'Mode Update URL',
  signed_requests: 'Requests to sign in must be signed too',
  signs: 'Signature',
  encrypts: 'Encrypt assertions',
  encryption_certificate: 'Certificate for encryption',
  metadata_url: 'Metadata URL',
};

const fixed = { logo: '', background: '', icon: '', icon_bg: '', with_out_group: 'yes' };
const faultsOf = schemaFaults(SiteChanges);

export const useSiteForm = (site: Site) =>
  useForm<SiteValues>({
    initialValues: toValues(site),
    validate: (values) => faultsOf({ ...values, ...fixed }),
    validateInputOnBlur: true,
  });

export type SiteForm = ReturnType<typeof useSiteForm>;
