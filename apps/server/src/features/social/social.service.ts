import { ApiError, Email, type LinkedLogin } from '@opensocial/contract';
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
} from 'openid-client';
import { z } from 'zod';
import type { Transaction } from '../../database/connect.ts';
import type { signIns, sites } from '../../database/schema.ts';
import { socialNotice, unlinkedNotice } from '../../mail/notices.ts';
import type { Parts } from '../../parts.ts';
import { isSame } from '../../secrets/tokens.ts';
import { connectTo } from './connection.ts';
import { readProfile } from './profile.ts';
import { orRefuse, SocialRefusal } from './refusal.ts';
import { labelOf, type Profile, type Provider } from './social.providers.ts';
import {
  confirmInvitation,
  consumeSocialState,
  deleteLink,
  findLinkableUser,
  findLinks,
  insertLink,
  type Link,
  lockCredentials,
  resolveLinkedUser,
  updateSocialState,
} from './social.queries.ts';

export { keyedProviders, listProviders, type Offer, usableLogins } from './social.providers.ts';

/** The person who signed in at a provider. */
export type SocialPerson = Profile & { provider: string; label: string };

type SignIn = Pick<typeof signIns.$inferSelect, 'id' | 'social' | 'is_forced'>;

/** The values that were sent to the provider, to be compared with its answer. */
const SentRequest = z.object({
  kind: z.literal('sent'),
  provider: z.string(),
  state: z.string(),
  nonce: z.string().optional(),
  verifier: z.string().optional(),
});

/** A person whose address the provider has not verified. They are linked once the address is proven in another way. */
const PendingLink = z.object({
  kind: z.literal('waiting'),
  person: z.object({ provider: z.string(), label: z.string(), subject: z.string(), email: z.string() }),
});

const CompletedLink = z.object({ kind: z.literal('linked'), provider: z.string() });

/** The state of a social login in a sign-in. It is encrypted, because it contains subjects and verifiers. */
type SocialState = z.infer<typeof SentRequest> | z.infer<typeof PendingLink> | z.infer<typeof CompletedLink>;

const storeState = ({ db, vault }: Parts, { id }: SignIn, state: SocialState) =>
  updateSocialState(db, id, vault.seal(state));

const Sealed = z.object({ sealed: z.string() });

const redirectUri = ({ config }: Pick<Parts, 'config'>, provider: Provider): string =>
  `${config.publicUrl}/signin/callback/${provider.name}`;

/** The state parameter contains the sign-in's token, encrypted. */
const State = z.object({ signIn: z.string() });
const stateOf = ({ vault }: Parts, token: string): string => vault.seal({ signIn: token });
export const tokenOfState = ({ vault }: Parts, state: string): string | undefined =>
  State.safeParse(vault.open(state)).data?.signIn;

/** Returns the URL to send the browser to. Beginning again replaces the earlier attempt. */
export const beginSocialLogin = async (
  parts: Parts,
  { signIn, token, provider }: { signIn: SignIn; token: string; provider: Provider },
): Promise<URL> => {
  const configuration = await orRefuse(provider, () => connectTo(parts.config, provider));
  const state = stateOf(parts, token);
  const hasNonce = provider.kind === 'openid' && provider.hasNonce;
  const nonce = hasNonce ? randomNonce() : undefined;
  const verifier = provider.kind === 'openid' && !provider.hasPkce ? undefined : randomPKCECodeVerifier();
  await storeState(parts, signIn, { kind: 'sent', provider: provider.name, state, nonce, verifier });
  return buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri(parts, provider),
    scope: provider.scope,
    state,
    ...(nonce !== undefined && { nonce }),
    ...(verifier !== undefined && {
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }),
    ...(signIn.is_forced && provider.again),
  });
};

/** Redeems the provider's answer, once, and reads the profile. */
export const finishSocialLogin = async (
  parts: Parts,
  signIn: SignIn,
  provider: Provider,
  answer: Record<string, string>,
): Promise<SocialPerson> => {
  const sent = await consumeSentRequest(parts, signIn, provider, answer['state'] ?? '');
  const url = new URL(`${redirectUri(parts, provider)}?${new URLSearchParams(answer)}`);
  const profile = await orRefuse(provider, async () => {
    const configuration = await connectTo(parts.config, provider);
    const tokens = await authorizationCodeGrant(configuration, url, {
      expectedState: sent.state,
      ...(sent.nonce !== undefined && { expectedNonce: sent.nonce }),
      ...(sent.verifier !== undefined && { pkceCodeVerifier: sent.verifier }),
      idTokenExpected: provider.kind === 'openid',
    });
    return readProfile(configuration, provider, tokens);
  });
  const email = Email.safeParse(profile.email).data;
  return { ...profile, email, provider: provider.name, label: provider.label };
};

const consumeSentRequest = async (parts: Parts, signIn: SignIn, { name, label }: Provider, state: string) => {
  const sealed = Sealed.safeParse(signIn.social).data?.sealed ?? '';
  const sent = SentRequest.safeParse(parts.vault.open(sealed)).data;
  if (!sent)
    throw new SocialRefusal(`This answer from ${label} was already used. Please start again.`, `${name}: answer used`);
  if (sent.provider !== name || !isSame(sent.state, state))
    throw new SocialRefusal(
      `This answer from ${label} belongs to another sign-in. Please start again.`,
      `${name}: another state`,
    );
  if (!(await consumeSocialState(parts.db, signIn.id, sealed)))
    throw new SocialRefusal(`This answer from ${label} was already used. Please start again.`, `${name}: answer used`);
  return sent;
};

type Site = Pick<typeof sites.$inferSelect, 'kind' | 'network_id' | 'email_login'>;
type SocialSignIn = { signIn: SignIn; destination: { site: Site } };

/**
 * Finds the account: the one that is linked to the subject, whatever its address is now. A new subject is matched by an
 * address that the provider has verified, and linked. No account is ever created.
 */
export const findAccount = async (
  parts: Parts,
  { signIn, destination }: SocialSignIn,
  person: SocialPerson,
): Promise<number> => {
  const { provider, label, subject, email } = person;
  const known = await resolveLinkedUser(parts.db, provider, subject);
  if (known !== undefined) return known;
  if (email === undefined)
    throw new SocialRefusal(
      `${label} did not share your email address, so we cannot find your account. Please sign in another way.`,
      `${provider}: no address`,
    );
  if (!person.emailVerified) {
    await storeState(parts, signIn, { kind: 'waiting', person: { provider, label, subject, email } });
    const { kind, email_login } = destination.site;
    const advice =
      kind === 'console' || email_login
        ? `Sign in with your password now, and ${label} will be linked to your account.`
        : 'Please sign in another way.';
    throw new SocialRefusal(
      `${label} does not confirm that this email address is yours. ${advice}`,
      `${provider}: address not verified`,
    );
  }
  const userId =
    (await findLinkableUser(parts.db, destination.site, email)) ??
    (await confirmInvitation(parts.db, destination.site, email));
  if (userId === undefined)
    throw new SocialRefusal('There is no account for this address in this network.', `${provider}: no account`);
  await storeState(parts, signIn, { kind: 'linked', provider });
  return linkAccount(parts, { id: userId, email }, person);
};

/**
 * Completes a pending link at the end of a sign-in, and returns the provider that the sign-in has linked, for the login
 * log. A person who was identified by a provider without a verified address is linked once they have signed in to the
 * account of that address in another way.
 */
export const completeSocialLink = async (
  parts: Parts,
  { social }: Pick<SignIn, 'social'>,
  user: { id: number; email: string },
): Promise<string | undefined> => {
  const state = parts.vault.open(Sealed.safeParse(social).data?.sealed ?? '');
  const linked = CompletedLink.safeParse(state).data;
  if (linked) return linked.provider;
  const person = PendingLink.safeParse(state).data?.person;
  if (!person || person.email !== user.email) return undefined;
  return (await linkAccount(parts, user, person)) === user.id ? person.provider : undefined;
};

/**
 * Links an account and notifies its owner by mail. Returns the linked user: of two concurrent links, the first one
 * counts.
 */
const linkAccount = (
  { db, jobs, config }: Parts,
  user: { id: number; email: string },
  { provider, label, subject }: Pick<SocialPerson, 'provider' | 'label' | 'subject'>,
): Promise<number> =>
  db.transaction(async (tx) => {
    if (await insertLink(tx, { user_id: user.id, provider, subject }))
      await jobs.sendMail(tx, {
        to: user.email,
        ...socialNotice(config.publicUrl, label),
        record: { kind: 'login_changed' },
      });
    return (await resolveLinkedUser(tx, provider, subject)) ?? user.id;
  });

export const listLinks = async ({ db, config }: Parts, userId: number): Promise<LinkedLogin[]> => {
  const links = await findLinks(db, userId);
  return links.map(({ id, provider, created_at, last_used_at }) => ({
    id,
    provider,
    label: labelOf(config, provider),
    linked: created_at.toISOString(),
    last_used: last_used_at?.toISOString() ?? null,
  }));
};

/** Removes a linked login, unless it is the only way to sign in, and notifies the owner by mail. */
export const unlinkAccount = async (
  tx: Transaction,
  { jobs, config }: Parts,
  user: { id: number; email: string },
  linkId: number,
): Promise<Link & { label: string }> => {
  const credentials = await lockCredentials(tx, user.id);
  const links = await findLinks(tx, user.id);
  const link = links.find(({ id }) => id === linkId);
  if (!credentials || !link) throw new ApiError('not_found');
  if (!credentials.hasPassword && links.length === 1) throw new ApiError('login_last');
  await deleteLink(tx, link.id);
  const label = labelOf(config, link.provider);
  await jobs.sendMail(tx, {
    to: user.email,
    ...unlinkedNotice(config.publicUrl, label),
    record: { kind: 'login_changed' },
  });
  return { ...link, label };
};
