import { ApiError, getSession, type Session, setDefault, setSelected, updateSession } from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import { csrfToken } from '../../http/origin.ts';
import { findSession, type SessionRow } from '../../identity/console-sessions.ts';
import type { Parts } from '../../parts.ts';
import { findOwnerMfaDue } from '../mfa/mfa.service.ts';
import { findNetworkOf } from '../networks/networks.service.ts';
import { showPicture } from '../profile/profile.pictures.service.ts';
import { renewDevice } from '../sign-in/sign-in.service.ts';
import { updateDefaultNetwork, updateSelectedNetwork } from './session.queries.ts';

export const sessionRoutes = (bind: Bind, parts: Parts): void => {
  const { db } = parts;

  const toSession = async (row: SessionRow | undefined): Promise<Session> => ({
    csrf: csrfToken(parts, row?.token),
    user: row ? toSessionUser(row, await findOwnerMfaDue(parts, row.user.id)) : 'no session',
  });

  const reread = async (row: SessionRow): Promise<Session> => toSession(await findSession(db, row.token));

  /** Id and name must belong to the same network, and the user must be a member of it. */
  const networkOf = async (userId: number, id: number, name: string) => {
    const network = await findNetworkOf(db, userId, { id, name });
    if (!network) throw new ApiError('not_found');
    return network;
  };

  bind(getSession, async ({ actor, request, reply }) => {
    if (actor) renewDevice(parts, request, reply, actor.user);
    return toSession(actor?.session);
  });

  bind(updateSession, async ({ session, user, body }) => {
    await showPicture(parts, user.id, body.picture);
    return reread(session);
  });

  bind(setSelected, async ({ session, user, body }) => {
    const network = await networkOf(user.id, body.selected_id, body.selected_server);
    await updateSelectedNetwork(db, session.id, network.id);
    return reread(session);
  });

  bind(setDefault, async ({ session, user, body }) => {
    const standard = await networkOf(user.id, body.server_id, body.default_server);
    const selected = await networkOf(user.id, body.selected_id, body.selected_server);
    await db.transaction(async (tx) => {
      await updateDefaultNetwork(tx, user.id, standard.id);
      await updateSelectedNetwork(tx, session.id, selected.id);
    });
    return reread(session);
  });
};

const toSessionUser = (
  { user, selected, standard, isAdmin, loginFrom }: SessionRow,
  mfaDue: Date | undefined,
): Exclude<Session['user'], string> => ({
  id: user.id,
  name: user.fullname || user.email,
  username: user.email,
  uid: user.uid,
  is_admin: isAdmin,
  photoURL: user.picture ?? '',
  default_server: standard.name,
  server_id: standard.id,
  selected_server: selected.name,
  selected_id: selected.id,
  sso_id: selected.sso_id,
  mfa_email: user.email,
  enable_email_mfa: user.emailMfa ? 'Yes' : 'No',
  last_login_from: loginFrom,
  mfa_due: mfaDue?.toISOString() ?? null,
});
