import { randomBytes } from 'node:crypto';
import { ApiError, maximumPasskeys, type NewPasskey, type PasskeyOptions } from '@opensocial/contract';
import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server';
import { COSEALG } from '@simplewebauthn/server/helpers';
import type { Config } from '../../config.ts';
import { type Transaction, violates } from '../../database/connect.ts';
import type { Parts } from '../../parts.ts';
import { countRecoveryCodes, deleteUnneededRecoveryCodes, issueRecoveryCodes } from '../mfa/mfa.service.ts';
import {
  consumeChallenge,
  countPasskeys,
  deletePasskey,
  ensureHandle,
  findPasskeys,
  insertPasskey,
  renewCredentials,
  upsertChallenge,
} from './passkeys.queries.ts';
import { assertNotFramed, millisecondsToAnswer, newChallenge, relyingParty, toBytes } from './relying-party.ts';

const algorithms = [COSEALG.ES256, COSEALG.EdDSA, COSEALG.RS256];
const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

/** Whether passkeys can be used at our address. */
export const supportsPasskeys = (config: Config): boolean => relyingParty(config) !== undefined;

type TransactionStep = (tx: Transaction) => Promise<void>;

type PasskeyOwner = { sessionId: number; user: { id: number; email: string; fullname: string } };

/** Options for creating a passkey: discoverable, and with user verification. */
export const createPasskeyOptions = async (
  { db, config }: Parts,
  { sessionId, user }: PasskeyOwner,
): Promise<PasskeyOptions> => {
  const party = relyingParty(config);
  if (!party) throw new ApiError('passkey_impossible');
  const existing = await findPasskeys(db, user.id);
  if (existing.length >= maximumPasskeys) throw new ApiError('passkey_limit');
  const challenge = newChallenge();
  await upsertChallenge(db, sessionId, challenge);
  const options = await generateRegistrationOptions({
    rpName: 'OpenSocial',
    rpID: party.id,
    userID: toBytes(await ensureHandle(db, user.id, randomBytes(32))),
    userName: user.email,
    userDisplayName: user.fullname || user.email,
    challenge: toBytes(challenge),
    timeout: millisecondsToAnswer,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: existing.map(({ credential_id }) => ({ id: credential_id.toString('base64url') })),
  });
  return options as PasskeyOptions;
};

/**
 * Adds the passkey that a browser has created. Returns new recovery codes if the account has none, so that losing the
 * only passkey does not lock the user out. `beforeStore` checks inside the transaction whether the passkey may be stored;
 * `afterStore` runs in the same transaction.
 */
export const addPasskey = async (
  parts: Parts,
  { sessionId, user }: PasskeyOwner,
  {
    name,
    created,
    beforeStore,
    afterStore,
  }: { name: string; created: NewPasskey; beforeStore: TransactionStep; afterStore: TransactionStep },
): Promise<string[]> => {
  const { credential, backedUp } = await verifyCreated(parts, sessionId, created);
  try {
    return await parts.db.transaction(async (tx) => {
      await beforeStore(tx);
      await renewCredentials(tx, user.id);
      if ((await countPasskeys(tx, user.id)) >= maximumPasskeys) throw new ApiError('passkey_limit');
      await insertPasskey(tx, {
        user_id: user.id,
        credential_id: Buffer.from(credential.id, 'base64url'),
        public_key: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: transports.filter((transport) => created.response.transports.includes(transport)),
        name,
        backed_up: backedUp,
      });
      await afterStore(tx);
      return (await countRecoveryCodes(tx, user.id)) === 0 ? issueRecoveryCodes(tx, user.id) : [];
    });
  } catch (cause) {
    if (violates(cause, 'passkeys__credential_id')) throw new ApiError('passkey_exists', { cause });
    throw cause;
  }
};

const verifyCreated = async ({ db, config }: Parts, sessionId: number, created: NewPasskey) => {
  const party = relyingParty(config);
  const challenge = await consumeChallenge(db, sessionId);
  if (!party || !challenge) throw new ApiError('passkey_refused');
  try {
    assertNotFramed(created.response.clientDataJSON);
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...created, response: { ...created.response, transports: [] }, clientExtensionResults: {} },
      expectedChallenge: challenge.toString('base64url'),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    if (!verified) throw new Error('The attestation is not valid.');
    return { credential: registrationInfo.credential, backedUp: registrationInfo.credentialBackedUp };
  } catch (cause) {
    throw new ApiError('passkey_refused', { cause });
  }
};

/**
 * Deletes a passkey, and the recovery codes with the last one. Returns its name, or undefined if it does not belong to
 * the user.
 */
export const removePasskeyOf = async (tx: Transaction, userId: number, id: number): Promise<string | undefined> => {
  await renewCredentials(tx, userId);
  const name = await deletePasskey(tx, userId, id);
  await deleteUnneededRecoveryCodes(tx, userId);
  return name;
};
