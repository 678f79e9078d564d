import {
  ApiError,
  changePassword,
  type Device,
  finishPasswordChange,
  getPasswordPolicy,
  getProfile,
  listDevices,
  listLogins,
  removeDevice,
  removeLogin,
  removeOtherDevices,
  updateName,
  uploadProfilePicture,
} from '@opensocial/contract';
import type { Bind, BindUpload } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { admitOwnHashing } from '../../secrets/passwords.ts';
import { findNetworkByName } from '../networks/networks.service.ts';
import { toPasswordPolicy } from '../settings/settings.service.ts';
import { listLinks } from '../social/social.service.ts';
import { endOtherSessions } from '../users/users.passwords.service.ts';
import { addPicture } from './profile.pictures.service.ts';
import { type DeviceRow, deleteDevice, findDevices } from './profile.queries.ts';
import { changeNames, changeOwnPassword, proveOwnPassword, readProfile, unlinkLogin } from './profile.service.ts';

/**
 * Every call acts on the signed-in user. Addresses and ids in requests are only compared with theirs; they never select
 * a row.
 */
export const profileRoutes = (bind: Bind, bindUpload: BindUpload, parts: Parts): void => {
  const { db } = parts;

  bind(getProfile, async ({ user }) => readProfile(parts, user.id));

  bind(updateName, async ({ body, ...caller }) => {
    await changeNames(parts, caller, { firstname: body.first_name, lastname: body.last_name });
    return { message: 'Your name was saved.' };
  });

  bindUpload(uploadProfilePicture, async ({ file, ...caller }) => ({
    fullPath: await addPicture(parts, caller, file),
  }));

  bind(getPasswordPolicy, async ({ network }) => {
    const found = await findNetworkByName(db, network.name);
    if (!found) throw new ApiError('not_found');
    return toPasswordPolicy(found.settings);
  });

  bind(changePassword, async ({ body, ...caller }) => {
    await admitOwnHashing(caller.user.id, () => changeOwnPassword(parts, caller, body.current_password, body.password));
    return { message: 'Password change sucessfully' };
  });

  bind(finishPasswordChange, async ({ body, ...caller }) => {
    await admitOwnHashing(caller.user.id, () => proveOwnPassword(parts, caller, body.password));
    const { sessionIndex } = caller.session;
    await db.transaction((tx) => endOtherSessions(tx, parts.jobs, caller.user.id, { sessionIndex }));
    return { message: 'Your other sessions have been ended.' };
  });

  bind(listDevices, async ({ user, session }) => {
    const devices = (await findDevices(db, user.id)).map((device) => toDevice(device, session.sessionIndex));
    return { devices: devices.toSorted((one, other) => Number(other.current) - Number(one.current)) };
  });

  bind(removeDevice, async ({ user, params }) => {
    const ended = (await findDevices(db, user.id)).filter(({ session }) => session.id === params.id);
    await db.transaction((tx) => deleteDevice(tx, parts.jobs, user.id, params.id));
    return { message: `That browser has been signed out.${unnotifiedSitesNote(ended)}` };
  });

  bind(removeOtherDevices, async ({ user, session }) => {
    const { sessionIndex } = session;
    const ended = (await findDevices(db, user.id)).filter((device) => device.session.session_index !== sessionIndex);
    await db.transaction((tx) => endOtherSessions(tx, parts.jobs, user.id, { sessionIndex }));
    return { message: `Your other browsers have been signed out.${unnotifiedSitesNote(ended)}` };
  });

  bind(listLogins, async ({ user }) => ({ logins: await listLinks(parts, user.id) }));

  bind(removeLogin, async ({ params, ...caller }) => {
    const { label } = await unlinkLogin(parts, caller, params.id);
    return { message: `${label} was unlinked from your account.` };
  });
};

/** Most applications could be notified by the browser only, which does not take part in this request. */
const unnotifiedSitesNote = (ended: readonly DeviceRow[]): string => {
  const names = [...new Set(ended.flatMap(({ sites }) => sites))];
  if (names.length === 0) return '';
  const their = names.length === 1 ? 'its own session there until it ends' : 'their own sessions there until they end';
  return ` ${new Intl.ListFormat('en').format(names)} may keep ${their}.`;
};

const toDevice = ({ session: device, sites }: DeviceRow, currentIndex: string): Device => ({
  id: device.id,
  ip_address: device.ip_address ?? '',
  user_agent: device.user_agent ?? '',
  login_from: device.login_from,
  signed_in: device.authenticated_at.toISOString(),
  last_seen: device.last_seen_at.toISOString(),
  sites,
  current: device.session_index === currentIndex,
});
