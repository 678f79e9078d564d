import { ApiError, SettingsChanges, SiteChanges } from '@opensocial/contract';
import type { Queryable } from '../../database/connect.ts';
import type { Caller } from '../../http/actor.ts';
import type { Parts } from '../../parts.ts';
import { readDesktop, restoreDesktop } from '../desktop/desktop.service.ts';
import { changeGroup, findGroup } from '../groups/groups.changes.service.ts';
import { assertImagesOf } from '../media/media.service.ts';
import { changeNetworkMode, getNetworkMode } from '../networks/networks.changes.service.ts';
import { assertFreshSignIn } from '../session/session.service.ts';
import { assertFreshIfPolicy, changeSettings } from '../settings/settings.changes.service.ts';
import { readSettings, toSettings, toColumns as toSettingsColumns } from '../settings/settings.service.ts';
import { changeSite, findSite } from '../sites/sites.changes.service.ts';
import { toSite, toColumns as toSiteColumns } from '../sites/sites.service.ts';
import { assertNamesOwned, getMemberForUpdate, renameUser } from '../users/users.accounts.service.ts';
import { findMember } from '../users/users.service.ts';

export type Values = Record<string, unknown>;

/** Sets the former values. `assertCurrent` gets the locked row, and refuses if it was changed again. */
type Reversal = { caller: Caller; id: number; former: Values; assertCurrent: (row: object) => void };

/** How changes of one kind of object are reverted. */
type Revertible = {
  fields: ReadonlySet<string>;
  /** Why changes of other fields cannot be reverted. */
  otherwise: string;
  read: (db: Queryable, networkId: number, id: number) => Promise<object | undefined>;
  revert: (parts: Parts, reversal: Reversal) => Promise<unknown>;
};

const only = (values: object, former: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([key]) => key in former));

/** The names of images that a reversal sets again. */
const namesIn = (former: Values, fields: readonly string[]): string[] =>
  fields.flatMap((field) => (typeof former[field] === 'string' && former[field] !== '' ? [former[field]] : []));

const site: Revertible = {
  fields: new Set(
    `site_name login_url status closed_message message_title message domain_level_settings terms_of_use privacy_statement help_email
    mfa auth_options custom_auth_options email_login icon icon_bg icon_color icon_background icon_width icon_height text_color
    text_background logo background`.split(/\s+/),
  ),
  otherwise:
    'This change has an effect outside: on keys, addresses or attributes that the application relies on, or on the announced mode of the site. Change it in the panel of the site.',
  read: (db, networkId, id) => findSite(db, networkId, id),
  revert: (parts, { caller, id, former, assertCurrent }) => {
    const pictures = Object.fromEntries(
      ['logo', 'background', 'icon_bg'].flatMap((field) => namesIn(former, [field]).map((name) => [field, name])),
    );
    const changesOf: Parameters<typeof changeSite>[3] = (row) => {
      assertCurrent(row);
      if (row.mfa === 'Enable' && former['mfa'] === 'Disable') assertFreshSignIn(caller.actor);
      const { name: _name, ...form } = toSite({ site: { ...row, ...former }, version: 0 });
      const parsed = SiteChanges.safeParse({ ...form, with_out_group: 'yes' });
      if (!parsed.success) throw new ApiError('invalid_input', { cause: parsed.error });
      return only(toSiteColumns(parsed.data), former);
    };
    return changeSite(parts, caller, id, changesOf, pictures);
  },
};

const group: Revertible = {
  fields: new Set(['name', 'description']),
  otherwise: 'This change cannot be reverted.',
  read: (db, networkId, id) => findGroup(db, networkId, id),
  revert: ({ db }, { caller, id, former, assertCurrent }) =>
    changeGroup(db, caller, id, (row) => {
      assertCurrent(row);
      return { name: row.name, description: row.description, ...former };
    }),
};

const user: Revertible = {
  fields: new Set(['firstname', 'lastname']),
  otherwise: 'Only the names of a person can be reverted.',
  read: (db, networkId, id) => findMember(db, networkId, id),
  revert: ({ db }, { caller, id, former, assertCurrent }) =>
    db.transaction(async (tx) => {
      const { user: account, reach } = await getMemberForUpdate(tx, caller, id);
      assertNamesOwned(reach);
      assertCurrent(account);
      await renameUser(tx, caller, account, { firstname: account.firstname, lastname: account.lastname, ...former });
    }),
};

const settings: Revertible = {
  fields: new Set(
    `footer_link custom_footer footer_type terms_of_use privacy_statement help_email logo background footer password_expiration
    password_history password_length password_complexity user_inactivity failed_tries mfa mfa_options mfa_remember_days
    session_idle_minutes session_hours sign_up`.split(/\s+/),
  ),
  otherwise: 'Keys and secrets of social logins cannot be reverted, because their former values are not recorded.',
  read: (db, networkId) => readSettings(db, networkId),
  revert: ({ db, vault }, { caller, former, assertCurrent }) =>
    changeSettings(
      db,
      caller,
      (row) => {
        assertCurrent(row);
        const target = { ...row, ...former };
        const parsed = SettingsChanges.safeParse({ server: caller.network.name, ...toSettings(target) });
        if (!parsed.success) throw new ApiError('invalid_input', { cause: parsed.error });
        const { server: _server, ...form } = parsed.data;
        const changes = { ...former, ...only(toSettingsColumns(vault, row, form), former) };
        // The form contains the length that applies, and null means that it depends on the second factor.
        if (former['password_length'] === null) changes['password_length'] = null;
        assertFreshIfPolicy(caller, row, { ...row, ...changes });
        return changes;
      },
      {
        prepare: (tx) =>
          assertImagesOf(tx, caller.network.id, 'image', namesIn(former, ['logo', 'background', 'footer'])),
      },
    ),
};

const network: Revertible = {
  fields: new Set(['mode']),
  otherwise: 'Only the mode of a network can be reverted.',
  read: (db, networkId) => getNetworkMode(db, networkId),
  revert: ({ db }, { caller, former, assertCurrent }) =>
    changeNetworkMode(db, caller, (row) => {
      assertCurrent(row);
      return former['mode'] as typeof row.mode;
    }),
};

const desktop: Revertible = {
  fields: new Set(['desktop_apps']),
  otherwise: 'This change cannot be reverted.',
  read: (db, networkId) => readDesktop(db, networkId),
  revert: ({ db }, { caller, former, assertCurrent }) =>
    restoreDesktop(db, caller, former['desktop_apps'] as number[], assertCurrent),
};

/** By the first part of the subject key of a record, or its kind of object. */
export const revertibles: Readonly<Record<string, Revertible>> = { site, group, user, settings, network, desktop };
