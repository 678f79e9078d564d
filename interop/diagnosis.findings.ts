import { type FindingCode, getSiteDiagnosis, type SiteExchange } from '@opensocial/contract';
import type { IdentityProvider } from './identity-provider.ts';
import { report } from './report.ts';
import { host } from './service-providers.ts';

/** A registered service provider, and a page of it that needs a session. */
export type Diagnosed = { idp: IdentityProvider; name: string; page: string; siteId: number };

/** Waits until diagnosis explains the newest exchange with a code. Exchanges are written a moment after the answer. */
export const awaitFinding = async (
  { idp, siteId }: Diagnosed,
  code: FindingCode,
): Promise<{ exchange: SiteExchange | undefined; said: string; version: number }> => {
  const end = Date.now() + 5_000;
  for (;;) {
    const { exchanges, version } = await idp.call(getSiteDiagnosis, { params: { site_id: siteId } });
    const exchange = exchanges.find(({ finding }) => finding.code === code && finding.is_current);
    const said = exchanges.map(({ finding }) => `${finding.code}${finding.is_current ? '' : ' (solved)'}`).join(', ');
    if (exchange || Date.now() > end) return { exchange, said, version };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

/** Opens the page of a service provider in a new browser, and checks what diagnosis says about it. */
export const checkFinding = async (target: Diagnosed, what: string, code: FindingCode) => {
  const visitor = await target.idp.visitor();
  const { text } = await visitor.open(target.page).catch((error: unknown) => ({ text: String(error) }));
  const found = await awaitFinding(target, code);
  const compared = found.exchange?.finding.compared.map(({ received, registered }) => `${received} | ${registered}`);
  report(
    `${target.name}, ${what}: ${found.exchange?.finding.sentence ?? 'not found'}`,
    found.exchange !== undefined,
    `${found.said}; ${text.slice(0, 200)}`,
  );
  if (process.env['KEEP'] && compared) console.log(`    ${compared.join('; ')}`);
  visitor.forget(host);
  return found;
};

/** Checks that the sign-in works after a correction, and that diagnosis says so. */
export const checkSolved = async (target: Diagnosed, what: string, code: FindingCode): Promise<void> => {
  const visitor = await target.idp.visitor();
  const { text } = await visitor.open(target.page);
  const isSignedIn = text.includes('signed in as');
  const end = Date.now() + 5_000;
  let isSolved = false;
  while (!isSolved && Date.now() < end) {
    const { exchanges } = await target.idp.call(getSiteDiagnosis, { params: { site_id: target.siteId } });
    isSolved = exchanges.every(({ finding }) => finding.code !== code || !finding.is_current);
  }
  report(`${target.name}, ${what}: works after it was corrected`, isSignedIn && isSolved, text.slice(0, 200));
  visitor.forget(host);
};
