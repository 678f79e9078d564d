import type { Subscriber } from '@opensocial/contract';
import type { IdentityProvider } from './identity-provider.ts';
import type { ServiceProvider } from './service-providers.ts';

export type World = {
  idp: IdentityProvider;
  /** The folder of the service providers. */
  folder: string;
  sites: { provider: ServiceProvider; site: Subscriber }[];
};

/** Prints an outcome, and makes the program end with 1 if it is a failure. */
export const report = (what: string, isDone: boolean, details: string): void => {
  console.log(`${isDone ? '✓' : '✗'} ${what}`);
  if (isDone) return;
  console.log(`  ${details.replaceAll(/\s+/g, ' ')}`);
  process.exitCode = 1;
};
