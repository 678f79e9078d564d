import { type FindingCode, getSiteDiagnosis, type SiteDiagnosis } from '@opensocial/contract';
import type { IdentityProvider } from './identity-provider.ts';
import { eventually } from './programs.ts';
import { report } from './report.ts';
import { host } from './service-providers.ts';

/** A registered service provider, and a page of it that needs a session. */
export type Diagnosed = { idp: IdentityProvider; name: string; page: string; siteId: number };

/** The exchange that diagnosis explains with a code, if that is still a problem. */
const findProblem = ({ exchanges }: SiteDiagnosis, code: FindingCode) =>
  exchanges.find(({ finding }) => finding.code === code && finding.is_current);

/** Reads the diagnosis until a problem is there, or is not there any more. Exchanges are written a moment after the answer. */
const awaitDiagnosis = ({ idp, siteId }: Diagnosed, code: FindingCode, isProblem: boolean): Promise<SiteDiagnosis> =>
  eventually(
    () => idp.call(getSiteDiagnosis, { params: { site_id: siteId } }),
    (diagnosis) => (findProblem(diagnosis, code) !== undefined) === isProblem,
    5_000,
  );

/** Opens the page of a service provider in a new browser, and checks what diagnosis says about it. */
export const checkFinding = async (target: Diagnosed, what: string, code: FindingCode) => {
  const visitor = await target.idp.visitor();
  const { text } = await visitor.open(target.page).catch((error: unknown) => ({ text: String(error) }));
  const diagnosis = await awaitDiagnosis(target, code, true);
  const exchange = findProblem(diagnosis, code);
  const said = diagnosis.exchanges.map(({ finding }) => `${finding.code}${finding.is_current ? '' : ' (solved)'}`);
  report(
    `${target.name}, ${what}: ${exchange?.finding.sentence ?? 'not found'}`,
    exchange !== undefined,
    `${said.join(', ')}; ${text.slice(0, 200)}`,
  );
  visitor.forget(host);
  return { exchange, version: diagnosis.version };
};

/** Checks that the sign-in works after a correction, and that diagnosis says so. */
export const checkSolved = async (target: Diagnosed, what: string, code: FindingCode): Promise<void> => {
  const visitor = await target.idp.visitor();
  const { text } = await visitor.open(target.page);
  const isSolved = findProblem(await awaitDiagnosis(target, code, false), code) === undefined;
  report(
    `${target.name}, ${what}: works after it was corrected`,
    text.includes('signed in as') && isSolved,
    text.slice(0, 200),
  );
  visitor.forget(host);
};
