import {
  ApiError,
  changePassword,
  type Device,
  finishPasswordChange,
  getPasswordPolicy,
  getProfile,
  listDevices,
  removeDevice,
  removeOtherDevices,
  updateName,
  uploadProfilePicture,
} from '@opensocial/contract';
import type { identitySessions } from '../../database/schema.ts';
import type { Bind, BindUpload } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { findNetworkByName } from '../networks/networks.service.ts';
import { toPasswordPolicy } from '../settings/settings.service.ts';
import { endOtherSessions } from '../users/users.passwords.service.ts';
import { addPicture } from './profile.pictures.service.ts';
import { deleteDevice, findDevices } from './profile.queries.ts';
import { changeNames, changeOwnPassword, provePassword, readProfile } from './profile.service.ts';

/** Every call acts on whoever is signed in. An address or id that it is given is compared with theirs, and picks no row. */
export const profileRoutes = (bind: Bind, bindUpload: BindUpload, parts: Parts): void => {
  const { db } = parts;

  bind(getProfile, async ({ user }) => readProfile(parts, user.id));

  bind(updateName, async ({ body, ...own }) => {
    await changeNames(parts, own, { firstname: body.first_name, lastname: body.last_name });
    return { message: 'Your name is saved.' };
  });

  bindUpload(uploadProfilePicture, async ({ user, file }) => ({ fullPath: await addPicture(parts, user.id, file) }));

  bind(getPasswordPolicy, async ({ network }) => {
    const found = await findNetworkByName(db, network.name);
    if (!found) throw new ApiError('not_found');
    return toPasswordPolicy(found.settings);
  });

  bind(changePassword, async ({ body, ...own }) => {
    await changeOwnPassword(parts, own, body.current_password, body.password);
    return { message: 'Password change sucessfully' };
  });

  bind(finishPasswordChange, async ({ body, ...own }) => {
    await provePassword(parts, own, body.password);
    await endOtherSessions(db, own.user.id, { sessionIndex: own.session.sessionIndex });
    return { message: 'Your other sessions are ended.' };
  });

  bind(listDevices, async ({ user, session }) => {
    const devices = (await findDevices(db, user.id)).map((device) => toDevice(device, session.sessionIndex));
    return { devices: devices.toSorted((one, other) => Number(other.current) - Number(one.current)) };
  });

  bind(removeDevice, async ({ user, params }) => {
    await db.transaction((tx) => deleteDevice(tx, user.id, params.id));
    return { message: 'That browser is not signed in as you any more.' };
  });

  bind(removeOtherDevices, async ({ user, session }) => {
    await db.transaction((tx) => endOtherSessions(tx, user.id, { sessionIndex: session.sessionIndex }));
    return { message: 'Your other browsers are signed out.' };
  });
};

const toDevice = (device: typeof identitySessions.$inferSelect, currentIndex: string): Device => ({
  id: device.id,
  ip_address: device.ip_address ?? '',
  user_agent: device.user_agent ?? '',
  login_from: device.login_from,
  signed_in: device.authenticated_at.toISOString(),
  last_seen: device.last_seen_at.toISOString(),
  current: device.session_index === currentIndex,
});
