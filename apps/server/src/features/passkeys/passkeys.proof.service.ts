import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import { z } from 'zod';
import type { Parts } from '../../parts.ts';
import { forgetGuesses, type Prover, takeGuess } from '../mfa/mfa.service.ts';
import { type FoundPasskey, findPasskey, findPasskeys, useAnswer } from './passkeys.queries.ts';
import { assertNotFramed, millisecondsToAnswer, relyingParty, toBytes } from './relying-party.ts';

export { newChallenge } from './relying-party.ts';

/** What a page asks a browser to answer: `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
export type PasskeyRequest = {
  rpId: string;
  challenge: string;
  timeout: number;
  userVerification: 'required' | 'preferred';
  allowCredentials?: { id: string; type: 'public-key'; transports: string[] }[];
};

/** Who are you: any passkey of ours that the browser knows, behind the lock of its device. */
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

/** Prove it again: one of the passkeys of whoever is known already. */
export const requestOwnPasskey = async (
  parts: Parts,
  challenge: Buffer,
  userId: number,
): Promise<PasskeyRequest | undefined> => {
  const request = requestPasskey(parts, challenge);
  if (!request) return undefined;
  const own = await findPasskeys(parts.db, userId);
  const allowCredentials = own.map(({ credential_id, transports }) => ({
    id: credential_id.toString('base64url'),
    type: 'public-key' as const,
    transports,
  }));
  return { ...request, userVerification: 'preferred', allowCredentials };
};

const Base64Url = z.string().regex(/^[\w-]+$/);

/** `AuthenticationResponseJSON` of WebAuthn, as far as anybody reads it. */
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

/** The passkey that an answer names. Nothing of it is proven yet. */
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

/** Why an answer does not sign its owner in, for the log; nothing where it does. */
export const refusalToSignIn = async (
  parts: Parts,
  named: NamedPasskey,
  challenge: Buffer,
): Promise<string | undefined> => refusalOf(parts, named, { challenge, isAlone: true });

/**
 * The same for a second factor. The answer is verified before it is counted: a signature cannot be guessed, and somebody who
 * has locked the other factors by wrong codes must not keep the owner's passkey from working.
 */
export const refusalToConfirm = async (
  parts: Parts,
  prover: Prover,
  text: string,
  challenge: Buffer,
): Promise<string | undefined> => {
  const named = await findNamedPasskey(parts, text);
  const isTheirs = named?.passkey.user_id === prover.userId;
  const refusal = isTheirs ? await refusalOf(parts, named, { challenge, isAlone: false }) : 'unknown passkey';
  await (refusal === undefined ? forgetGuesses : takeGuess)(parts.db, prover);
  return refusal;
};

/** Alone, it must say whose it is, and that its device has seen them. */
type Use = { challenge: Buffer; isAlone: boolean };

const refusalOf = async (parts: Parts, named: NamedPasskey, use: Use): Promise<string | undefined> => {
  const { passkey, handle, answer } = named;
  const { userHandle } = answer.response;
  const isTheirs = userHandle === undefined ? !use.isAlone : handle?.equals(Buffer.from(userHandle, 'base64url'));
  const given = isTheirs ? await verify(parts, named, use) : undefined;
  if (!given) return 'wrong passkey';
  return (await useAnswer(parts.db, passkey.id, given)) ? undefined : 'counter of the passkey went back';
};

/** What a genuine answer says besides; nothing where it is not, whatever the cause. */
const verify = async (
  { config }: Parts,
  { passkey, answer }: NamedPasskey,
  { challenge, isAlone }: Use,
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
      requireUserVerification: isAlone,
      // The library compares counters before it looks at the signature. We do after it, and the database does: so of two
      // answers at the same moment too.
      credential: { id: answer.id, publicKey: toBytes(passkey.public_key), counter: 0 },
    });
    const { newCounter, credentialBackedUp } = authenticationInfo;
    return verified ? { counter: newCounter, backedUp: credentialBackedUp } : undefined;
  } catch {
    return undefined;
  }
};
