import { change } from './identity-provider.ts';
import { report, type World } from './report.ts';
import { host } from './service-providers.ts';

const settings = [
  { signs: 'both', encrypts: 'No' },
  { signs: 'assertion', encrypts: 'No' },
  { signs: 'response', encrypts: 'No' },
  { signs: 'both', encrypts: 'Yes' },
  { signs: 'assertion', encrypts: 'Yes' },
  { signs: 'response', encrypts: 'Yes' },
] as const;

/** A sign-on at every service provider with every combination of signatures and encryption. */
export const checkProtection = async ({ idp, sites }: World): Promise<void> => {
  for (const { provider, site } of sites) {
    for (const setting of settings) {
      await change(idp.call, site, setting);
      const visitor = await idp.visitor();
      const { text, url } = await visitor.open(provider.page);
      report(
        `${provider.name}, signed: ${setting.signs}, encrypted: ${setting.encrypts}`,
        text.includes(`signed in as ${visitor.credentials.email}`),
        `${url}: ${text.slice(0, 200)}`,
      );
      visitor.forget(host);
    }
    await change(idp.call, site, { signs: 'both', encrypts: 'No' });
  }
};
