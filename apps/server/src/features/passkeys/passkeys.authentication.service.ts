import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import { z } from 'zod';
import type { Parts } from '../../parts.ts';
import { clearFactorAttempts, countFactorAttempt, type FactorUser } from '../mfa/mfa.service.ts';
import { type FoundPasskey, findPasskey, findPasskeys, updateCounter } from './passkeys.queries.ts';
import { assertNotFramed, millisecondsToAnswer, relyingParty, toBytes } from './relying-party.ts';

export { newChallenge } from './relying-party.ts';

/** The WebAuthn request that a page passes to the browser: `PublicKeyCredentialRequestOptionsJSON`. */
export type PasskeyRequest = {
  rpId: string;
  challenge: string;
  timeout: number;
  userVerification: 'required' | 'preferred';
  allowCredentials?: { id: string; type: 'public-key'; transports: string[] }[];
};

/** Request for signing in with a passkey alone: any passkey for our site, with user verification. */
export const requestPasskey = ({ config }: Parts, challenge: Buffer): PasskeyRequest | undefined => {
  const party = relyingParty(config);
  return (
    party && {
      rpId: party.id,
      challenge: challenge.toString('base64url'),
      timeout: millisecondsToAnswer,
      userVerification: 'required',
    }
  );
};

/** Request for a second factor: one of the passkeys of the given user. */
export const requestOwnPasskey = async (
  parts: Parts,
  challenge: Buffer,
  userId: number,
): Promise<PasskeyRequest | undefined> => {
  const request = requestPasskey(parts, challenge);
  if (!request) return undefined;
  const passkeys = await findPasskeys(parts.db, userId);
  const allowCredentials = passkeys.map(({ credential_id, transports }) => ({
    id: credential_id.toString('base64url'),
    type: 'public-key' as const,
    transports,
  }));
  return { ...request, userVerification: 'preferred', allowCredentials };
};

const Base64Url = z.string().regex(/^[\w-]+$/);

/** The parts of WebAuthn's `AuthenticationResponseJSON` that we read. */
const Answer = z.object({
  id: Base64Url.max(1_400),
  rawId: Base64Url.max(1_400),
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: Base64Url.max(4_000),
    authenticatorData: Base64Url.max(4_000),
    signature: Base64Url.max(4_000),
    userHandle: Base64Url.max(200).optional(),
  }),
});
type Answer = z.infer<typeof Answer>;

/** The passkey that an answer refers to. The answer is not verified yet. */
export type NamedPasskey = FoundPasskey & { answer: Answer };

export const findNamedPasskey = async ({ db }: Parts, text: string): Promise<NamedPasskey | undefined> => {
  const { data: answer } = Answer.safeParse(toJson(text));
  const found = answer && (await findPasskey(db, Buffer.from(answer.id, 'base64url')));
  return found && { ...found, answer };
};

const toJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Returns why an answer does not sign its owner in, for the log, or undefined if it does. */
export const findSignInRefusal = async (
  parts: Parts,
  named: NamedPasskey,
  challenge: Buffer,
): Promise<string | undefined> => findRefusal(parts, named, { challenge, isPasswordless: true });

/**
 * The same for a second factor. The answer is verified before it is counted: a signature cannot be guessed, and an
 * attacker who has locked the other factors with wrong codes must not be able to block the owner's passkey.
 */
export const findFactorRefusal = async (
  parts: Parts,
  factorUser: FactorUser,
  text: string,
  challenge: Buffer,
): Promise<string | undefined> => {
  const named = await findNamedPasskey(parts, text);
  const isTheirs = named?.passkey.user_id === factorUser.userId;
  const refusal = isTheirs ? await findRefusal(parts, named, { challenge, isPasswordless: false }) : 'unknown passkey';
  await (refusal === undefined ? clearFactorAttempts : countFactorAttempt)(parts.db, factorUser);
  return refusal;
};

/** Without a password, a passkey must identify its user, and the device must have verified that user. */
type Expectation = { challenge: Buffer; isPasswordless: boolean };

const findRefusal = async (parts: Parts, named: NamedPasskey, use: Expectation): Promise<string | undefined> => {
  const { passkey, handle, answer } = named;
  const { userHandle } = answer.response;
  const isTheirs =
    userHandle === undefined ? !use.isPasswordless : handle?.equals(Buffer.from(userHandle, 'base64url'));
  const given = isTheirs ? await verify(parts, named, use) : undefined;
  if (!given) return 'wrong passkey';
  return (await updateCounter(parts.db, passkey.id, given)) ? undefined : 'counter of the passkey went back';
};

/** Verifies an answer. Returns its counter and backup state, or undefined if it is not valid for any reason. */
const verify = async (
  { config }: Parts,
  { passkey, answer }: NamedPasskey,
  { challenge, isPasswordless }: Expectation,
): Promise<{ counter: number; backedUp: boolean } | undefined> => {
  const party = relyingParty(config);
  if (!party) return undefined;
  const { clientDataJSON, authenticatorData, signature } = answer.response;
  try {
    assertNotFramed(clientDataJSON);
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...answer,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge.toString('base64url'),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: isPasswordless,
      // The library compares counters before it checks the signature. We compare them afterwards in the database, which
      // also covers concurrent answers.
      credential: { id: answer.id, publicKey: toBytes(passkey.public_key), counter: 0 },
    });
    const { newCounter, credentialBackedUp } = authenticationInfo;
    return verified ? { counter: newCounter, backedUp: credentialBackedUp } : undefined;
  } catch {
    return undefined;
  }
};
