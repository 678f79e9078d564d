import type { Config } from '../../../config.ts';

/** The public addresses of a network's identity provider. */
export const idpAddresses = ({ publicUrl }: Config, network: string) => ({
  entityId: `${publicUrl}/saml/${network}/metadata`,
  ssoUrl: `${publicUrl}/saml/${network}/sso`,
  sloUrl: `${publicUrl}/saml/${network}/slo`,
  soapUrl: `${publicUrl}/saml/${network}/slo/soap`,
});

/** The public addresses of the console as a SAML service provider. */
export const consoleAddresses = ({ publicUrl }: Config) => ({
  entityId: `${publicUrl}/server/saml/metadata`,
  acsUrl: `${publicUrl}/server/saml/acs`,
  slsUrl: `${publicUrl}/server/saml/sls`,
});
