import { and, eq, isNull } from 'drizzle-orm';
import type { Transaction } from '../../database/connect.ts';
import { oneTimeTokens, type users } from '../../database/schema.ts';
import { accountNotice } from '../../mail/notices.ts';
import type { Parts } from '../../parts.ts';
import { renderNetworkMail } from '../templates/templates.service.ts';
import { findUserByEmail, updateUser } from './users.queries.ts';
import { findMemberByEmail, issueTokens, joinNetwork } from './users.service.ts';

type User = typeof users.$inferSelect;
type Network = { id: number; name: string };
type Purpose = 'activation' | 'reset';

/** A link for whoever has forgotten their password; who has not confirmed their address yet is asked for that instead. */
export const resetPassword = (parts: Parts, network: Network, email: string): Promise<void> =>
  parts.db.transaction(async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (!user || user.user_mode !== 'Active') return;
    if (user.status === 'Confirmed') await mailLink(tx, parts, { user, network, kind: 'reset', purpose: 'reset' });
    else await confirmAgain(tx, parts, network, email);
  });

/** The link of the confirmation once more; the earlier ones stop working. */
export const askToConfirm = (parts: Parts, network: Network, email: string): Promise<void> =>
  parts.db.transaction((tx) => confirmAgain(tx, parts, network, email));

const confirmAgain = async (tx: Transaction, parts: Parts, network: Network, email: string): Promise<void> => {
  const user = await findMemberByEmail(tx, network.id, email);
  if (user?.status === 'NonConfirmed')
    await mailLink(tx, parts, { user, network, kind: 'resend', purpose: 'activation' });
};

/** An account for a stranger, which waits until its address is confirmed. Whoever has one already is told so by mail. */
export const signUp = (
  parts: Parts,
  network: Network,
  { email, firstname, lastname }: { email: string; firstname: string; lastname: string },
): Promise<void> =>
  parts.db.transaction(async (tx) => {
    const known = await findUserByEmail(tx, email);
    if (known?.status === 'Confirmed') {
      await parts.jobs.sendMail(tx, { to: email, ...accountNotice(parts.config.publicUrl, network.name) });
      return;
    }
    const { user } = await joinNetwork(tx, network.id, email);
    if (!known) await updateUser(tx, user.id, { firstname, lastname });
    const named = { ...user, fullname: known?.fullname ?? `${firstname} ${lastname}` };
    await mailLink(tx, parts, { user: named, network, kind: 'signup', purpose: 'activation' });
  });

/** A new link by mail, in the network's words; earlier ones for the same stop working. */
const mailLink = async (
  tx: Transaction,
  parts: Parts,
  {
    user,
    network,
    kind,
    purpose,
  }: { user: User; network: Network; kind: 'signup' | 'resend' | 'reset'; purpose: Purpose },
): Promise<void> => {
  await tx
    .delete(oneTimeTokens)
    .where(and(eq(oneTimeTokens.user_id, user.id), eq(oneTimeTokens.purpose, purpose), isNull(oneTimeTokens.used_at)));
  // A new password follows the rules of the network where the account was made.
  const networkId = purpose === 'reset' ? user.home_network_id : network.id;
  const hours = purpose === 'reset' ? 1 : 24;
  const [issued] = await issueTokens(tx, [{ userId: user.id, networkId, purpose, hours }]);
  const recipient = { user_name: user.fullname, email: user.email, token: issued?.token ?? '' };
  await parts.jobs.sendMail(tx, await renderNetworkMail(tx, parts, network, kind, recipient));
};
