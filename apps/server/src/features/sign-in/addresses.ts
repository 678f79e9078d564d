import type { Config } from '../../config.ts';

/** A network's identity provider, as the world addresses it. */
export const idpAddresses = ({ publicUrl }: Config, network: string) => ({
  entityId: `${publicUrl}/saml/${network}/metadata`,
  ssoUrl: `${publicUrl}/saml/${network}/sso`,
  sloUrl: `${publicUrl}/saml/${network}/slo`,
});

/** The console as a service provider. */
export const consoleAddresses = ({ publicUrl }: Config) => ({
  entityId: `${publicUrl}/server/saml/metadata`,
  acsUrl: `${publicUrl}/server/saml/acs`,
  slsUrl: `${publicUrl}/server/saml/sls`,
});
