import type { SessionUser } from '@opensocial/contract';
import { redirectToSignIn } from '../sign-in/sign-in.ts';
import { queryClient } from '../transport/query-client.ts';
import { sessionQuery } from './session.ts';

/** §4, route guard: fetches the session once. Without a session the browser is redirected to the sign-in. */
export const requireSession = async (): Promise<SessionUser> => {
  const { user } = await queryClient.ensureQueryData(sessionQuery);
  return user === 'no session' ? redirectToSignIn() : user;
};
