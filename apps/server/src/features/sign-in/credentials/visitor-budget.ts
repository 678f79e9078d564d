import type { FastifyRequest } from 'fastify';
import type { Database } from '../../../database/connect.ts';
import { addressOf, countedAddress } from '../../../http/address.ts';
import type { Budgets, Visitor } from '../../../http/budgets.ts';
import { readCookie } from '../../../http/cookies.ts';
import { PageError } from '../../../http/errors.ts';
import type { Parts } from '../../../parts.ts';
import { findIdentityOwner } from '../accounts/identity-sessions.queries.ts';
import { deviceIdOf } from './known-devices.ts';

type Charged = Pick<Parts, 'config' | 'vault' | 'budgets'>;

/** Charges the budget of a visitor before a row is inserted for a sign-in or a logout, which anybody may begin. Throws if it is used up. */
export const chargeVisitor = (
  parts: Charged,
  request: FastifyRequest,
  budget: keyof Budgets,
  userId: number | undefined,
): void => {
  const wait = parts.budgets[budget].take(visitorOf(parts, request, userId));
  if (wait > 0) throw new PageError(429, texts[budget].title, texts[budget].message, { retryAfter: wait });
};

/** Charges a logout to the person if the browser has a live session. */
export const chargeLogout = async (parts: Charged & { db: Database }, request: FastifyRequest): Promise<void> => {
  const token = readCookie(parts.config, request, 'identity');
  const userId = token === undefined ? undefined : await findIdentityOwner(parts.db, token);
  chargeVisitor(parts, request, 'logouts', userId);
};

const visitorOf = ({ config, vault }: Charged, request: FastifyRequest, userId: number | undefined): Visitor => {
  if (userId !== undefined) return { key: `user ${userId}`, isUnknown: false };
  const device = deviceIdOf(vault, readCookie(config, request, 'device'));
  if (device !== undefined) return { key: `device ${device}`, isUnknown: false };
  return { key: `address ${countedAddress(addressOf(request))}`, isUnknown: true };
};

const texts: Record<keyof Budgets, { title: string; message: string }> = {
  signIns: {
    title: 'Too many sign-ins right now',
    message:
      'Too many sign-ins were started in a short time, from your network or elsewhere. Please wait a moment, then try again.',
  },
  logouts: {
    title: 'Too many sign-outs right now',
    message:
      'Too many sign-outs were started in a short time, from your network or elsewhere. You may still be signed in: please wait a moment, then sign out again.',
  },
};
