import type { OneSignature, SignedElements, SiteTest, SiteTestStep } from '@opensocial/contract';
import type { SiteTestRow } from '../sign-in/sign-in.service.ts';

type Result = Pick<SiteTest, 'state' | 'title' | 'text' | 'causes'>;
type Subject = { protocol: SiteTest['protocol']; site_name: string; signs: SignedElements };

/** How long a code can be redeemed. */
const codeMilliseconds = 60_000;

const samlCauses = [
  'The entity ID of the identity provider in the application differs from ours.',
  'The signing certificate in the application is not our current one.',
  'The application expects another audience: it must be its entity ID as registered here.',
  'The application expects another NameID or an attribute with another name.',
  'The clock of the application is wrong by more than a few minutes.',
  'The browser did not send its cookie back to the application. The cookie needs SameSite=None and Secure, because our response is posted from another site.',
  'The person has no account in the application, and it does not create one.',
];

/** Only for a sign-in that was begun here: the application may want to begin itself. */
const startedHereCause =
  'The application accepts only sign-ins that it has begun itself. Enter its own sign-in page as Login URL of this site, and test again.';

const oidcCauses = [
  'The application expects another issuer: it must be ours, letter by letter.',
  'The application expects a claim that is not released, or with another name.',
  'The person has no account in the application, and it does not create one.',
];

const stepOf = ({ steps }: SiteTestRow, id: SiteTestStep['id']) => steps.find((step) => step.id === id);
const isWrong = (step: SiteTestStep | undefined): boolean =>
  step?.checks.some(({ outcome }) => outcome === 'no') ?? false;
const firstProblem = ({ steps }: SiteTestRow): string =>
  steps.flatMap(({ checks }) => checks).find(({ outcome }) => outcome === 'no')?.text ?? '';

/** Whether there was no request of the application, so that nothing of it could be checked. */
const isStartedHere = (row: SiteTestRow): boolean =>
  stepOf(row, 'request')?.checks.every(({ outcome }) => outcome === 'note') ?? false;

export const hasTwoSignatures = ({ protocol, signs }: Pick<Subject, 'protocol' | 'signs'>): boolean =>
  protocol === 'saml' && signs === 'both';

/** Whether the test has shown, or another one can show, that the signature of the assertion is enough. */
export const oneSignatureOf = (row: SiteTestRow, subject: Subject): OneSignature => {
  if (row.state !== 'sent' || isWrong(stepOf(row, 'sent')) || !hasTwoSignatures(subject)) return 'none';
  return row.signs === null ? 'offered' : 'sent';
};

/** The result of a response of which only the assertion was signed. If it is refused, that is the cause. */
const oneSignatureResult = (subject: Subject): Result => ({
  state: 'done',
  title: 'We sent a response with one signature',
  text: hasTwoSignatures(subject)
    ? `Only the assertion was signed. If ${subject.site_name} shows you as signed in, one signature is enough. If it shows an error, it needs both: leave it as it is, and people sign in as before.`
    : `Only the assertion was signed, as it is at every sign-in to ${subject.site_name} now. Edit SSO parameters changes it back.`,
  causes: [],
});

const sentResult = (row: SiteTestRow, subject: Subject, now: number): Result => {
  const { protocol, site_name } = subject;
  const sent = stepOf(row, 'sent');
  if (isWrong(sent))
    return { state: 'failed', title: 'The application got a refusal', text: firstProblem(row), causes: [] };
  if (row.signs !== null) return oneSignatureResult(subject);
  if (protocol === 'saml')
    return {
      state: 'done',
      title: 'We sent a correct response',
      text: `Your browser posted it to ${site_name}. Only the application knows whether it accepted it. If it shows an error, compare these:`,
      causes: isStartedHere(row) ? [startedHereCause, ...samlCauses] : samlCauses,
    };
  const token = stepOf(row, 'token');
  if (isWrong(token))
    return { state: 'failed', title: 'The application could not redeem its code', text: firstProblem(row), causes: [] };
  if (token)
    return {
      state: 'done',
      title: 'The application got its tokens',
      text: `The sign-in works on our side. If ${site_name} still shows an error, compare these:`,
      causes: oidcCauses,
    };
  if (now - Date.parse(sent?.at ?? '') > codeMilliseconds)
    return {
      state: 'failed',
      title: 'The application has not redeemed its code',
      text: 'It was sent to its redirect URL, but the application did not call our token endpoint within a minute. It may not reach our address, or it stopped because of its own error.',
      causes: [],
    };
  return {
    state: 'running',
    title: 'The response was sent',
    text: `${site_name} has to redeem its code now.`,
    causes: [],
  };
};

/** The result of a test as a title and a text. */
export const resultOf = (row: SiteTestRow, subject: Subject, now = Date.now()): Result => {
  const { site_name } = subject;
  const isExpired = row.expires_at.getTime() <= now;
  if (row.state === 'sent') return sentResult(row, subject, now);
  if (row.state === 'stopped')
    return { state: 'stopped', title: 'The test was stopped', text: `Nothing was sent to ${site_name}.`, causes: [] };
  if (row.state === 'refused' || row.steps.some(isWrong))
    return { state: 'failed', title: 'The sign-in was refused', text: firstProblem(row), causes: [] };
  if (isExpired)
    return {
      state: 'expired',
      title: 'The test has expired',
      text:
        row.state === 'waiting'
          ? `${site_name} sent no request within ten minutes. Check that its sign-in leads to our address.`
          : 'It was not finished within ten minutes.',
      causes: [],
    };
  if (row.state === 'waiting')
    return {
      state: 'waiting',
      title: `Waiting for ${site_name}`,
      text: 'Sign in to the application in the new tab. If it does not begin by itself, use its sign-in button there. If the tab finds no page, the application does not run at its address yet.',
      causes: [],
    };
  return row.state === 'paused'
    ? {
        state: 'running',
        title: 'The response is ready',
        text: 'Look at it in the other tab, and send it.',
        causes: [],
      }
    : { state: 'running', title: 'The request has arrived', text: 'Sign in in the other tab.', causes: [] };
};
