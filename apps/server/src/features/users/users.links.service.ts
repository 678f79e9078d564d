import type { Transaction } from '../../database/connect.ts';
import type { users } from '../../database/schema.ts';
import { consumeQuota } from '../../http/throttle.ts';
import type { LinkRequest } from '../../jobs/jobs.ts';
import { setMailToken } from '../../mail/mail-records.ts';
import { accountNotice } from '../../mail/notices.ts';
import type { Parts } from '../../parts.ts';
import { deviceOf } from '../sign-in/sign-in.service.ts';
import { renderNetworkMail } from '../templates/templates.service.ts';
import { findAccountByEmail, findMemberByEmail } from './users.queries.ts';
import { insertInvitations, invitationHours, issueTokens } from './users.service.ts';

type User = typeof users.$inferSelect;
type Network = { id: number; name: string };
type LinkKind = 'signup' | 'resend' | 'reset';

/**
 * Mails per hour that unauthenticated clients may cause: from one address to one person, and from all addresses to one
 * person.
 */
const mailsFromAddress = { limit: 5, minutes: 60 };
const mailsFromEverywhere = { limit: 30, minutes: 60 };

/**
 * Answers a request on a sign-in page for a link by mail. It runs as a job, so that the page does the same work whether
 * or not there is an account. A device that has signed in to the account before has its own budget, so that others who
 * request links for the same person cannot exhaust it.
 */
export const answerLinkRequest = async (tx: Transaction, parts: Parts, request: LinkRequest): Promise<void> => {
  const { email, network, reason } = request;
  const account = await findAccountByEmail(tx, email);
  if (!(await isWithinBudget(tx, parts, request, account))) return;
  if (reason === 'sign-up') return signUp(tx, parts, request, account);
  const member = await findMemberByEmail(tx, network.id, email);
  const recordId = member?.provisional ? await recordRequest(tx, parts, member, network, 'resend') : undefined;
  if (reason === 'forgot' && account?.status === 'Confirmed') {
    if (account.user_mode === 'Active')
      await mailLink(tx, parts, account, network, 'reset', { isMember: member?.id === account.id });
    return;
  }
  const isWaiting = member?.provisional ? !account : member?.status === 'NonConfirmed';
  if (member && isWaiting) await mailLink(tx, parts, member, network, 'resend', { recordId });
};

const isWithinBudget = async (
  tx: Transaction,
  { vault }: Parts,
  { email, address, device }: LinkRequest,
  account: User | undefined,
): Promise<boolean> => {
  const key = `mail-to:${email}`;
  const known = account && deviceOf(vault, device, { uid: account.uid, credentialsAt: account.credentials_at });
  if (known)
    return (
      (await consumeQuota(tx, [`${key}:${known}`], mailsFromAddress)) &&
      (await consumeQuota(tx, [`${key}:devices`], mailsFromEverywhere))
    );
  // The address comes first: requests beyond its own budget do not use up the shared one.
  return (
    (await consumeQuota(tx, [`${key}@${address}`], mailsFromAddress)) &&
    (await consumeQuota(tx, [key], mailsFromEverywhere))
  );
};

/**
 * Creates an invitation for a person without an account, which waits until they confirm the address. A person with an
 * account gets the same row in the list of the network, so that its owners cannot tell the difference, and is asked by
 * mail to accept it.
 */
const signUp = async (
  tx: Transaction,
  parts: Parts,
  { email, firstname, lastname, network }: LinkRequest,
  account: User | undefined,
): Promise<void> => {
  const member =
    (await findMemberByEmail(tx, network.id, email)) ??
    (await insertInvitations(tx, network.id, [{ email, firstname, lastname }]))[0];
  const recordId = member?.provisional ? await recordRequest(tx, parts, member, network, 'signup') : undefined;
  if (account) await parts.jobs.sendMail(tx, { to: email, ...accountNotice(parts.config.publicUrl) });
  else if (member) await mailLink(tx, parts, member, network, 'signup', { recordId });
};

const recordKinds = { signup: 'sign_up', resend: 'confirmation', reset: 'reset' } as const;
const linkHours = (kind: LinkKind): number => (kind === 'reset' ? 1 : invitationHours);

/**
 * Records a request about an invitation before anything depends on whether the address has an account: the network sees the record, and
 * must not learn that.
 */
const recordRequest = async (
  tx: Transaction,
  { jobs }: Parts,
  { email }: User,
  network: Network,
  kind: LinkKind,
): Promise<number | undefined> => {
  const record = { kind: recordKinds[kind], networkId: network.id, linkHours: linkHours(kind) };
  return (await jobs.recordMails(tx, [{ to: email, record }]))[0];
};

type Recording = { recordId?: number | undefined; isMember?: boolean };

/**
 * Mails a new link with the network's template. Earlier links keep working until they expire or one is used: anybody
 * can request a link, and must not be able to invalidate the one that the person has just requested.
 */
const mailLink = async (
  tx: Transaction,
  parts: Parts,
  user: User,
  network: Network,
  kind: LinkKind,
  { recordId, isMember = true }: Recording = {},
): Promise<void> => {
  const isReset = kind === 'reset';
  const [issued] = await issueTokens(tx, [
    {
      userId: user.id,
      // A new password follows the rules of the person's home network.
      networkId: isReset ? user.home_network_id : network.id,
      purpose: isReset ? 'reset' : 'activation',
      hours: linkHours(kind),
    },
  ]);
  const recipient = { user_name: user.fullname, email: user.email, token: issued?.token ?? '' };
  const mail = await renderNetworkMail(tx, parts, network, kind, recipient);
  const tokenId = issued?.tokenId;
  if (recordId !== undefined) await setMailToken(tx, recordId, tokenId);
  const ofNetwork = isMember ? { networkId: network.id } : {};
  const record = { kind: recordKinds[kind], linkHours: linkHours(kind), tokenId, ...ofNetwork };
  await parts.jobs.sendMail(tx, {
    ...mail,
    record: recordId === undefined ? record : { id: recordId },
    isAwaited: true,
  });
};
