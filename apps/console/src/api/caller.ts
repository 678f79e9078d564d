import { type Caller, client, type Session } from '@opensocial/contract';
import { watchConnection } from './connection.ts';
import { queryClient } from './query-client.ts';

export const sessionKey = ['session'] as const;

/** Proof that the call comes from our own page, for browsers that send none themselves. */
const proofOfOrigin = (): Record<string, string> => {
  const session = queryClient.getQueryData<Session>(sessionKey);
  return session?.csrf ? { 'x-csrf': session.csrf } : {};
};

export const callerOver = (request: typeof fetch): Caller =>
  client({ fetch: (...parts) => watchConnection(request(...parts)), headers: proofOfOrigin });

/** Makes any call of the contract: `call(getRole, { params: { server } }, signal)`. It throws `ApiError`. */
export const call = callerOver((...parts) => fetch(...parts));
