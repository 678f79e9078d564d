import { createPrivateKey } from 'node:crypto';
import { parse } from 'node:querystring';
import { type Profile, SAML, type SamlConfig, ValidateInResponseTo } from '@node-saml/node-saml';
import type { sites } from '../../database/schema.ts';
import { findCertificates } from '../../features/networks/networks.queries.ts';
import { makeSigningKey } from '../../secrets/signing-keys.ts';
import type { Page } from './browser.ts';
import { networkNamed } from './builders.ts';
import type { TestApp } from './test-app.ts';
import { testOrigin } from './test-parts.ts';

type Site = typeof sites.$inferSelect;

/** A real service provider that uses node-saml, for a site of northlab. */
export class ServiceProvider {
  readonly saml: SAML;
  readonly site: Site;

  constructor(site: Site, certificates: string[], changes: Partial<SamlConfig> = {}) {
    this.site = site;
    this.saml = new SAML({
      issuer: site.identity,
      callbackUrl: site.acs,
      entryPoint: `${testOrigin}/saml/northlab/sso`,
      logoutUrl: `${testOrigin}/saml/northlab/slo`,
      ...(site.sls !== null && { logoutCallbackUrl: site.sls }),
      idpCert: certificates,
      idpIssuer: `${testOrigin}/saml/northlab/metadata`,
      audience: site.identity,
      wantAssertionsSigned: true,
      wantAuthnResponseSigned: true,
      validateInResponseTo: ValidateInResponseTo.ifPresent,
      disableRequestedAuthnContext: true,
      ...changes,
    });
  }

  static async of(testApp: TestApp, site: Site, changes: Partial<SamlConfig> = {}): Promise<ServiceProvider> {
    const { id } = await networkNamed(testApp.db, 'northlab');
    return new ServiceProvider(site, await findCertificates(testApp.db, id), changes);
  }

  /** The URL that it redirects a browser to for signing in. */
  signInUrl(relayState = ''): Promise<string> {
    return this.saml.getAuthorizeUrlAsync(relayState, undefined, {});
  }

  /** The fields that it posts to start a sign-in. */
  async signInFields(relayState = ''): Promise<Record<string, string>> {
    const message = await this.saml.getAuthorizeMessageAsync(relayState, undefined, {});
    return Object.fromEntries(Object.entries(message).map(([name, value]) => [name, String(value)]));
  }

  /** Processes the response that a browser posts. */
  async receive(page: Page): Promise<Profile> {
    if (page.form?.action !== this.site.acs)
      throw new Error(`Expected an answer for ${this.site.acs}, got ${page.status} ${page.form?.action}`);
    const { profile } = await this.saml.validatePostResponseAsync(page.form.fields);
    if (!profile) throw new Error('The answer has no profile.');
    return profile;
  }

  signOutUrl(profile: Profile, relayState = ''): Promise<string> {
    return this.saml.getLogoutUrlAsync(profile, relayState, {});
  }

  /** Processes a logout message of the redirect binding. For a request, returns the URL of the response. */
  async receiveLogout(url: string): Promise<{ profile: Profile | null; answerUrl: string | undefined }> {
    const query = new URL(url).search.slice(1);
    const fields = parse(query) as Record<string, string>;
    const { profile } = await this.saml.validateRedirectAsync(fields, query);
    if (!fields['SAMLRequest'] || !profile) return { profile, answerUrl: undefined };
    return {
      profile,
      answerUrl: await this.saml.getLogoutResponseUrlAsync(profile, fields['RelayState'] ?? '', {}, true),
    };
  }
}

/** A key for a service provider that signs its messages. */
export const makeProviderKey = async (): Promise<{ privateKey: string; certificate: string }> => {
  const { privateKey, certificate } = await makeSigningKey('a service provider');
  const pem = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' }).export({
    format: 'pem',
    type: 'pkcs8',
  });
  return { privateKey: String(pem), certificate };
};
