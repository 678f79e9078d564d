import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { dropOldestCookies, readCookie, setCookie } from '../../http/cookies.ts';
import { newToken } from '../../secrets/tokens.ts';
import { isActivationProof, upsertActivationProof } from './activation.queries.ts';

/** Enough to install an authenticator app first. A sign-in has as long. */
const minutesToSetUp = 30;

/** The maximum number of proofs in one browser, such as that of a person who tries out several accounts. */
const maximumProofs = 8;

const cookieOf = (userId: number) => `activation-${userId}` as const;

/**
 * Makes the proof that an account has just been activated. It permits its browser to set up the first second factor of the account. Call it
 * after the last change of the account, because changes of password, factors, status and mode delete it.
 */
export const makeActivationProof = async (tx: Transaction, userId: number): Promise<string> => {
  const token = newToken();
  await upsertActivationProof(tx, userId, { token, minutes: minutesToSetUp });
  return token;
};

/** Gives the proof to the browser, after the transaction that has made it. */
export const giveActivationProof = (
  config: Config,
  request: FastifyRequest,
  reply: FastifyReply,
  { userId, token }: { userId: number; token: string },
): void => {
  dropOldestCookies(config, request, reply, { prefix: 'activation-', maximum: maximumProofs });
  setCookie(config, reply, cookieOf(userId), token, minutesToSetUp * 60);
};

/** Whether an account was just activated in this browser, and has the same password and no factor since. */
export const hasActivationProof = async (
  db: Queryable,
  config: Config,
  request: FastifyRequest,
  userId: number,
): Promise<boolean> => {
  const token = readCookie(config, request, cookieOf(userId));
  return token !== undefined && isActivationProof(db, userId, token);
};
