import {
  ApiError,
  getLoginReach,
  getPolicyReach,
  getSettings,
  type NetworkSettings,
  previewSignIn,
  removeNetworkImage,
  SocialProvider,
  setFooterType,
  updateNetworkImage,
  updateSettings as updateSettingsCall,
} from '@opensocial/contract';
import type { Queryable } from '../../database/connect.ts';
import type { Caller } from '../../http/actor.ts';
import type { Bind } from '../../http/bind.ts';
import { mainNetworkName } from '../../identity/membership.ts';
import { canSendMail } from '../../mail/mailer.ts';
import type { Parts } from '../../parts.ts';
import { readVersion } from '../audit/audit.service.ts';
import { assertImagesOf } from '../media/media.service.ts';
import { previewSignInPage } from '../sign-in/sign-in.service.ts';
import { findSitesLosingLogin } from '../sites/sites.service.ts';
import { keyedProviders } from '../social/social.service.ts';
import { readTemplateFields } from '../templates/templates.service.ts';
import { assertFreshIfPolicy, changeSettings, type SettingsChange, subjectOf } from './settings.changes.service.ts';
import { countAffected, lacksFactor, readSettings, type SettingsRecord } from './settings.queries.ts';
import { readFooter, toColumns, toSettings } from './settings.service.ts';

const removed = { remove_logo: 'logo', remove_footer: 'footer', remove_bg: 'background' } as const;

/** The number of sites that a warning lists. */
const maximumNamed = 10;

export const settingsRoutes = (bind: Bind, parts: Parts): void => {
  const { db, vault, config } = parts;
  const answer = async (queryable: Queryable, settings: SettingsRecord, version: number): Promise<NetworkSettings> => ({
    version,
    ...toSettings(settings),
    ...(await readTemplateFields(queryable, settings.network_id)),
  });

  const change = async (caller: Caller, ...rest: SettingsChange): Promise<NetworkSettings> => {
    const { settings, version } = await changeSettings(db, caller, ...rest);
    return answer(db, settings, version);
  };

  bind(getSettings, async ({ network }) => {
    const version = await readVersion(db, subjectOf(network));
    return answer(db, await readSettings(db, network.id), version);
  });

  bind(updateSettingsCall, async ({ body: { server, based_on, ...form }, ...caller }) => {
    assertSameNetwork(server, caller);
    const changesOf = (settings: SettingsRecord) => {
      const changes = toColumns(vault, settings, form);
      assertFreshIfPolicy(caller, settings, changes);
      return changes;
    };
    return change(caller, changesOf, { version: based_on });
  });

  bind(getPolicyReach, async ({ query, network, user }) => {
    const { password_expiration: months, user_inactivity: days, mfa } = query;
    const affected = await countAffected(db, network.id, { months, days });
    const locksOut = mfa === 'Enable' && !canSendMail(config);
    // The rules of the main network apply to everybody at the console.
    const isRuled = user.homeNetworkId === network.id || network.name === mainNetworkName;
    return {
      users: affected.users,
      old_passwords: months === 0 ? 0 : affected.oldPasswords,
      without_mfa: mfa === 'Disable' ? 0 : affected.withoutMfa,
      locks_out: locksOut && affected.withoutMfa > 0,
      locks_you_out: locksOut && isRuled && (await lacksFactor(db, user.id)),
      inactive: days === 0 ? 0 : affected.inactive,
    };
  });

  bind(getLoginReach, async ({ query, network }) => {
    const current = keyedProviders(await readSettings(db, network.id));
    const wanted = SocialProvider.options.filter((provider) => query.keys.split(',').includes(provider));
    const sites = await findSitesLosingLogin(parts, network, { current, wanted });
    return { count: sites.length, sites: sites.slice(0, maximumNamed) };
  });

  bind(previewSignIn, async ({ body: { custom_footer, ...draft }, network }) => {
    const settings = await readSettings(db, network.id);
    return {
      html: previewSignInPage(config, network, { ...settings, ...draft, custom_footer: readFooter(custom_footer) }),
    };
  });

  bind(setFooterType, async ({ body, ...caller }) => {
    assertSameNetwork(body.server, caller);
    await change(caller, () => ({ footer_type: body.footer_type }));
    return { message: 'Footer type updated successfully' };
  });

  // The image is locked before the settings, in the same order as when an image is deleted, to avoid deadlocks.
  bind(updateNetworkImage, ({ body, ...caller }) =>
    change(caller, () => body, {
      prepare: (tx) => assertImagesOf(tx, caller.network.id, 'image', Object.values(body)),
    }),
  );

  bind(removeNetworkImage, ({ params, ...caller }) => change(caller, () => ({ [removed[params.kind]]: null })));
};

const assertSameNetwork = (given: string, { network }: Caller): void => {
  if (given !== network.name) throw new ApiError('not_found');
};
