import {
  ApiError,
  getLoginReach,
  getPolicyReach,
  getSettings,
  type NetworkSettings,
  removeNetworkImage,
  SocialProvider,
  setFooterType,
  updateNetworkImage,
  updateSettings as updateSettingsCall,
} from '@opensocial/contract';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { actorOf, type Caller } from '../../http/actor.ts';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { assertUnchanged, readVersion, recordAudit } from '../audit/audit.service.ts';
import { assertImagesOf } from '../media/media.service.ts';
import { assertFreshSignIn } from '../session/session.service.ts';
import { findSitesLosingLogin } from '../sites/sites.service.ts';
import { keyedProviders } from '../social/social.service.ts';
import { readTemplateFields } from '../templates/templates.service.ts';
import { countAffected, readSettings, type SettingsRecord, updateSettings } from './settings.queries.ts';
import { toColumns, toSettings } from './settings.service.ts';

const removed = { remove_logo: 'logo', remove_footer: 'footer', remove_bg: 'background' } as const;

/** The number of sites that a warning lists. */
const maximumNamed = 10;

export const settingsRoutes = (bind: Bind, parts: Parts): void => {
  const { db, vault } = parts;
  /** Changes the settings: the row is locked, changed and audited in one transaction. */
  const change = (
    caller: Caller,
    changesOf: (settings: SettingsRecord) => Partial<SettingsRecord>,
    prepare: (tx: Transaction) => Promise<void> = async () => undefined,
    version?: number,
  ): Promise<NetworkSettings> =>
    db.transaction(async (tx) => {
      await prepare(tx);
      const before = await readSettings(tx, caller.network.id, true);
      const changes = changesOf(before);
      const subject = subjectOf(caller.network);
      await assertUnchanged(tx, { subject, networkId: caller.network.id, version }, before, changes);
      const after = await updateSettings(tx, caller.network.id, changes);
      await audit(tx, caller, before, after);
      return answer(tx, after, await readVersion(tx, subject));
    });

  const answer = async (queryable: Queryable, settings: SettingsRecord, version: number): Promise<NetworkSettings> => ({
    version,
    ...toSettings(settings),
    ...(await readTemplateFields(queryable, settings.network_id)),
  });

  bind(getSettings, async ({ network }) => {
    const version = await readVersion(db, subjectOf(network));
    return answer(db, await readSettings(db, network.id), version);
  });

  bind(updateSettingsCall, async ({ body: { server, based_on, ...form }, ...caller }) => {
    assertSameNetwork(server, caller);
    const changesOf = (settings: SettingsRecord) => {
      const changes = toColumns(vault, settings, form);
      if (isPolicyChanged(settings, changes)) assertFreshSignIn(caller.actor);
      return changes;
    };
    return change(caller, changesOf, undefined, based_on);
  });

  bind(getPolicyReach, async ({ query, network }) => {
    const { password_expiration: months, user_inactivity: days, mfa } = query;
    const affected = await countAffected(db, network.id, { months, days });
    return {
      users: affected.users,
      old_passwords: months === 0 ? 0 : affected.oldPasswords,
      without_mfa: mfa === 'Disable' ? 0 : affected.withoutMfa,
      inactive: days === 0 ? 0 : affected.inactive,
    };
  });

  bind(getLoginReach, async ({ query, network }) => {
    const current = keyedProviders(await readSettings(db, network.id));
    const wanted = SocialProvider.options.filter((provider) => query.keys.split(',').includes(provider));
    const sites = await findSitesLosingLogin(parts, network, { current, wanted });
    return { count: sites.length, sites: sites.slice(0, maximumNamed) };
  });

  bind(setFooterType, async ({ body, ...caller }) => {
    assertSameNetwork(body.server, caller);
    await change(caller, () => ({ footer_type: body.footer_type }));
    return { message: 'Footer type updated successfully' };
  });

  // The image is locked before the settings, in the same order as when an image is deleted, to avoid deadlocks.
  bind(updateNetworkImage, ({ body, ...caller }) =>
    change(
      caller,
      () => body,
      (tx) => assertImagesOf(tx, caller.network.id, 'image', Object.values(body)),
    ),
  );

  bind(removeNetworkImage, ({ params, ...caller }) => change(caller, () => ({ [removed[params.kind]]: null })));
};

const subjectOf = ({ id }: { id: number }) => `settings:${id}` as const;

const harmless = new Set(['footer_link', 'custom_footer', 'terms_of_use', 'privacy_statement', 'help_email']);

/**
 * Whether rules or secrets change, which can weaken sign-ins or let somebody else control them. Links and footers
 * cannot.
 */
const isPolicyChanged = (before: SettingsRecord, changes: Partial<SettingsRecord>): boolean => {
  const [old, next] = [toSettings(before), toSettings({ ...before, ...changes })];
  const rules = Object.keys(next).filter((key) => !harmless.has(key)) as (keyof typeof next)[];
  const secrets = SocialProvider.options.map((provider) => `${provider}_secret` as const);
  return rules.some((key) => old[key] !== next[key]) || secrets.some((name) => before[name] !== changes[name]);
};

const assertSameNetwork = (given: string, { network }: Caller): void => {
  if (given !== network.name) throw new ApiError('not_found');
};

/** Records only the changed fields; for a secret, only that it changed. */
const audit = async (tx: Transaction, caller: Caller, before: SettingsRecord, after: SettingsRecord): Promise<void> => {
  const changed = (Object.keys(after) as (keyof SettingsRecord)[]).filter(
    (key) => key !== 'version' && JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  );
  if (changed.length === 0) return;
  const oldData = Object.fromEntries(
    changed.map((key) => [key, isSecret(key) ? describeSecret(before[key]) : before[key]]),
  );
  // A replaced secret has another text than before, so that a save of an older version detects the change.
  const describeNewSecret = (key: keyof SettingsRecord) =>
    before[key] !== null && after[key] !== null ? 'another secret' : describeSecret(after[key]);
  const newData = Object.fromEntries(changed.map((key) => [key, isSecret(key) ? describeNewSecret(key) : after[key]]));
  await recordAudit(tx, {
    ...actorOf(caller),
    action: 'update',
    subject: `settings of ${caller.network.name}`,
    subject_key: subjectOf(caller.network),
    old_data: oldData,
    new_data: newData,
  });
};

const isSecret = (key: string): boolean => key.endsWith('_secret');

const describeSecret = (secret: unknown): string => (secret === null ? 'none' : 'a secret');
