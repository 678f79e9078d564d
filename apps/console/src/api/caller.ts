import { type Caller, client, type Session } from '@opensocial/contract';
import { watchConnection } from './connection.ts';
import { fetchWithProgress } from './fetch-with-progress.ts';
import { queryClient } from './query-client.ts';

export const sessionKey = ['session'] as const;

/** Proof that the call comes from our own page, for browsers that send none themselves. */
const proofOfOrigin = (): Record<string, string> => {
  const session = queryClient.getQueryData<Session>(sessionKey);
  return session?.csrf ? { 'x-csrf': session.csrf } : {};
};

const callerOver = (request: typeof fetch): Caller =>
  client({ fetch: (...parts) => watchConnection(request(...parts)), headers: proofOfOrigin });

/** Makes any call of the contract: `call(getRole, { params: { server } }, signal)`. It throws `ApiError`. */
export const call = callerOver((...parts) => fetch(...parts));

/** The same for a call that brings a file, and tells how much of it is sent, in percent. */
export const callWithProgress = (onProgress: (percent: number) => void): Caller =>
  callerOver(fetchWithProgress(onProgress));
