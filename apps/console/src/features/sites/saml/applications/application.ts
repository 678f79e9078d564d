import type { SignedElements, SiteDraft, SiteRelease } from '@opensocial/contract';
import type { ConfigurationPart } from '../../recipes/configuration.ts';

/** The values of our identity provider that the configuration of an application contains, and the address of the application. */
export type IdentityProviderValues = {
  /** Such as https://reports.example.org, without a slash at the end. */
  base: string;
  entityId: string;
  ssoUrl: string;
  sloUrl: string;
  /** In PEM. */
  certificate: string;
  /** SHA-256 of the certificate, in hexadecimal with colons. */
  fingerprint: string;
};

/** The parameters of the application, which follow from its address. */
type Registration = Pick<SiteDraft, 'identity' | 'acs' | 'sls'> & { login_url?: string };

export type SamlApplication = {
  id: string;
  name: string;
  /** What to enter as its address, if that is not obvious. */
  addressHint?: string;
  register: (base: string) => Registration;
  /** The attributes that it needs; absent if it can use the default set. */
  release?: SiteRelease;
  /**
   * Set if its own code, with the configuration below, is known to verify this signature and to need no other one. Each has its source in
   * docs/decisions/0042-one-signature.md.
   */
  signs?: Extract<SignedElements, 'assertion'>;
  configure: (values: IdentityProviderValues) => readonly ConfigurationPart[];
  /** What is left to do, and what people should know. */
  hint: string;
};

const example = 'https://application.example';

/** The address of an application, as its registered ACS URL shows it, otherwise that of its domain. */
export const baseOf = (
  { register }: Pick<SamlApplication, 'register'>,
  { domain, acs }: { domain: string; acs: string },
): string => {
  const pattern = register(example).acs;
  const ending = pattern.startsWith(example) ? pattern.slice(example.length).replace(hostOf(example), domain) : '';
  return ending !== '' && acs.endsWith(ending) ? acs.slice(0, -ending.length) : `https://${domain}`;
};

/** The default attributes, with a NameID that the application needs. */
export const releaseWith = (
  name_id_format: SiteRelease['name_id_format'],
  attributes: SiteRelease['attributes'] = null,
): SiteRelease => ({
  name_id_format,
  name_id_source: 'email',
  attributes,
  attribute_index: null,
  further_attributes: [],
});

/** The content of a certificate without its first and last line, as some settings want it. */
export const bareCertificate = (pem: string): string => pem.replaceAll(/-----[^-]+-----|\s/g, '');

export const hostOf = (base: string): string => URL.parse(base)?.host ?? base;
