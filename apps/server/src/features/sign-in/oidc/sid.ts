import type { Parts } from '../../../parts.ts';
import { hashToken } from '../../../secrets/tokens.ts';

/**
 * The id of a session at a client, in ID tokens and logout tokens. It is made with a key: a SAML site knows the index of the session, and
 * could otherwise compute the ids of the other sites and load their pages for logouts.
 */
export const sidOf = (
  { persistentNames }: Pick<Parts, 'persistentNames'>,
  sessionIndex: string,
  clientId: string,
): string =>
  hashToken(persistentNames({ uid: `session ${sessionIndex}` }, { identity: clientId })).toString('base64url');
