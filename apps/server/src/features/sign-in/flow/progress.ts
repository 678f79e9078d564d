import type { FastifyReply } from 'fastify';
import type { Transaction } from '../../../database/connect.ts';
import type { Parts } from '../../../parts.ts';
import { hashToken, newToken } from '../../../secrets/tokens.ts';
import { newChallenge } from '../../passkeys/passkeys.authentication.service.ts';
import { flowExpired, type SignInFlow, setSecrets } from './sign-in-flow.ts';
import { isUnchanged, replaceChallenge, type SignIn, updateSignIn } from './sign-ins.queries.ts';

const withSignIn = (flow: SignInFlow, signIn: SignIn | undefined): SignInFlow => {
  if (!signIn) throw flowExpired();
  return { ...flow, signIn };
};

/** Updates the row of a sign-in. Throws `flowExpired` if it has ended, or was taken over, in the meantime. */
export const updateFlow = async ({ db }: Parts, flow: SignInFlow, changes: Partial<SignIn>): Promise<SignInFlow> =>
  withSignIn(flow, await updateSignIn(db, flow.signIn, changes));

/** Stores the person who was identified, and gives the browser a new secret that belongs to it. */
export const storeIdentification = async (
  { config }: Parts,
  reply: FastifyReply,
  flow: SignInFlow,
  store: (known_hash: Buffer) => Promise<SignIn | undefined>,
): Promise<SignInFlow> => {
  const secrets = { ...flow.secrets, identified: newToken() };
  const updated = withSignIn(flow, await store(hashToken(secrets.identified)));
  setSecrets(config, reply, flow.token, secrets);
  return { ...updated, secrets };
};

/** Sets the destination of the flow back to the site that requested the sign-on. */
export const returnToSite = async (parts: Parts, flow: SignInFlow, changes: Partial<SignIn>): Promise<SignInFlow> => {
  const { destination } = flow.signOn;
  return { ...(await updateFlow(parts, flow, { ...changes, network_id: destination.network.id })), destination };
};

/** Within the transaction of a change that depends on this sign-in, while the account's row is locked. */
export const assertFlowUnchanged = async (tx: Transaction, { signIn }: SignInFlow): Promise<void> => {
  if (!(await isUnchanged(tx, signIn))) throw flowExpired();
};

/** Replaces the passkey challenge of a sign-in before an answer is checked, so that each challenge is used at most once. */
export const renewChallenge = async ({ db }: Parts, flow: SignInFlow): Promise<SignInFlow> =>
  withSignIn(flow, await replaceChallenge(db, flow.signIn, newChallenge()));
