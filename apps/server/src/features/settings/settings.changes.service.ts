import { SocialProvider } from '@opensocial/contract';
import type { Database, Transaction } from '../../database/connect.ts';
import { actorOf, type Caller } from '../../http/actor.ts';
import { assertUnchanged, readVersion, recordAudit } from '../audit/audit.service.ts';
import { assertFreshSignIn } from '../session/session.service.ts';
import { readSettings, type SettingsRecord, updateSettings } from './settings.queries.ts';
import { toSettings } from './settings.service.ts';

/** The changes of a save, and what has to happen before it. */
export type SettingsChange = [
  changesOf: (settings: SettingsRecord) => Partial<SettingsRecord>,
  options?: { prepare?: (tx: Transaction) => Promise<void>; version?: number | undefined },
];

/** Changes the settings: the row is locked, changed and audited in one transaction. */
export const changeSettings = (
  db: Database,
  caller: Caller,
  ...[changesOf, { prepare, version } = {}]: SettingsChange
): Promise<{ settings: SettingsRecord; version: number }> =>
  db.transaction(async (tx) => {
    await prepare?.(tx);
    const before = await readSettings(tx, caller.network.id, true);
    const changes = changesOf(before);
    const subject = subjectOf(caller.network);
    await assertUnchanged(tx, { subject, networkId: caller.network.id, version }, before, changes);
    const settings = await updateSettings(tx, caller.network.id, changes);
    await audit(tx, caller, before, settings);
    return { settings, version: await readVersion(tx, subject) };
  });

export const subjectOf = ({ id }: { id: number }) => `settings:${id}` as const;

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

/** Requires a fresh sign-in for changes of rules and secrets. */
export const assertFreshIfPolicy = (
  { actor }: Pick<Caller, 'actor'>,
  before: SettingsRecord,
  changes: Partial<SettingsRecord>,
): void => {
  if (isPolicyChanged(before, changes)) assertFreshSignIn(actor);
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
    object: 'settings',
    subject: `settings of ${caller.network.name}`,
    subject_key: subjectOf(caller.network),
    old_data: oldData,
    new_data: newData,
  });
};

const isSecret = (key: string): boolean => key.endsWith('_secret');

const describeSecret = (secret: unknown): string => (secret === null ? 'none' : 'a secret');
