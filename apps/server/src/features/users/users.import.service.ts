import { ApiError, Email, type ImportOutcome, type ImportRow, PersonName } from '@opensocial/contract';
import type { Transaction } from '../../database/connect.ts';
import type { By } from '../../http/actor.ts';
import type { Parts } from '../../parts.ts';
import { findGroupsNamed, insertGroupUser } from '../groups/groups.service.ts';
import { inviteUser } from './users.accounts.service.ts';
import { findMember, findUserByEmail } from './users.queries.ts';

type Planned = ImportOutcome & { apply?: (tx: Transaction) => Promise<unknown> };

const refused = (detail: string): Planned => ({ outcome: 'refused', detail });

/** What a line of the file comes to, and the way to bring it about. */
const planRow = async (tx: Transaction, parts: Parts, by: By, row: ImportRow): Promise<Planned> => {
  const email = Email.safeParse(row.email);
  if (!email.success) return refused('This is no email address.');
  const names = [PersonName.safeParse(row.firstname), PersonName.safeParse(row.lastname)];
  if (names.some(({ success }) => !success)) return refused('A name is too long or has control characters.');
  const groups = await findGroupsNamed(tx, by.network.id, row.groups);
  const missing = row.groups.filter((name) => !groups.some((group) => isSame(group.name, name)));
  if (missing.length > 0) return refused(`There is no group ${missing.join(', ')}.`);

  const known = await findUserByEmail(tx, email.data);
  const member = known && (await findMember(tx, by.network.id, known.id));
  if (member) {
    const joining = groups.filter(({ id }) => !member.groups.some((held) => held.id === id));
    if (joining.length === 0) return { outcome: 'unchanged', detail: 'Is a user of the network already.' };
    return {
      outcome: 'update',
      detail: `Joins ${joining.map(({ name }) => name).join(', ')}.`,
      apply: async () => {
        for (const { id } of joining) await insertGroupUser(tx, id, member.id);
      },
    };
  }
  if (!known && (row.firstname.trim() === '' || row.lastname.trim() === ''))
    return refused('First name and last name are required.');
  const draft = { email: email.data, firstname: row.firstname.trim(), lastname: row.lastname.trim(), groups };
  return {
    outcome: known ? 'join' : 'create',
    detail: known ? 'Has an account elsewhere and joins this network.' : 'Is invited by mail.',
    apply: () => inviteUser(tx, parts, by, draft),
  };
};

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.trim().toLowerCase();

/** Each line by itself: one that fails leaves the others as they are. */
export const importRow = async (parts: Parts, by: By, row: ImportRow, apply: boolean): Promise<ImportOutcome> => {
  try {
    return await parts.db.transaction(async (tx) => {
      const { apply: bringAbout, outcome, detail } = await planRow(tx, parts, by, row);
      if (apply) await bringAbout?.(tx);
      return { outcome, detail };
    });
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return refused(error.message);
    throw error;
  }
};
