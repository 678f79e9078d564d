import { hashToken } from '../../../secrets/tokens.ts';

/** The id of a session at a client, in ID tokens and logout tokens. Each client has another one, so that clients cannot compare them. */
export const sidOf = (sessionIndex: string, clientId: string): string =>
  hashToken(`${sessionIndex} ${clientId}`).toString('base64url');
