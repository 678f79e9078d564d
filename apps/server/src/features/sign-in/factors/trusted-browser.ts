import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { readCookie, setCookie } from '../../../http/cookies.ts';
import type { Parts } from '../../../parts.ts';
import type { Destination } from '../destination/destinations.queries.ts';

const Trust = z.object({ uid: z.string(), network: z.number(), credentialsAt: z.string(), until: z.number() });

type TrustedAccount = { uid: string; credentialsAt: Date };
type CookieParts = Pick<Parts, 'config' | 'vault'>;

const millisecondsPerDay = 86_400_000;

/**
 * Sets a cookie that exempts a browser from the second factor of a network for the number of days in the network's settings. A change of
 * the password or a second factor invalidates it.
 */
export const trustBrowser = (
  { config, vault }: CookieParts,
  reply: FastifyReply,
  { network, settings }: Destination,
  user: TrustedAccount,
): void => {
  const days = settings.mfa_remember_days;
  if (days === 0) return;
  const trust = vault.seal({
    uid: user.uid,
    network: network.id,
    credentialsAt: user.credentialsAt.toISOString(),
    until: Date.now() + days * millisecondsPerDay,
  });
  setCookie(config, reply, `trusted-${network.id}`, trust, days * 86_400);
};

/** Whether a browser is exempt. A cookie that was set for more days than the network allows now is not valid. */
export const isBrowserTrusted = (
  { config, vault }: CookieParts,
  request: FastifyRequest,
  { network, settings }: Destination,
  user: TrustedAccount,
): boolean => {
  const { data } = Trust.safeParse(vault.open(readCookie(config, request, `trusted-${network.id}`) ?? ''));
  const latest = Date.now() + settings.mfa_remember_days * millisecondsPerDay;
  return (
    data !== undefined &&
    data.uid === user.uid &&
    data.network === network.id &&
    data.credentialsAt === user.credentialsAt.toISOString() &&
    data.until > Date.now() &&
    data.until <= latest
  );
};
