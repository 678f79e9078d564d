import { ApiError, Email, type ImportOutcome, type ImportRow, PersonName } from '@opensocial/contract';
import { isDatabaseAway, isUnstorable, type Transaction } from '../../database/connect.ts';
import { actorOf, type Caller } from '../../http/actor.ts';
import type { Parts } from '../../parts.ts';
import { recordAudits } from '../audit/audit.service.ts';
import { insertGroupUsers, lockGroupsByName } from '../groups/groups.service.ts';
import { findMembersByEmail } from './users.import.queries.ts';
import { insertInvitations, sendInvitations } from './users.service.ts';

type Group = { id: number; name: string };
type Account = Awaited<ReturnType<typeof findMembersByEmail>>[number];
type Person = { email: string; firstname: string; lastname: string; groups: Group[] };

/** The plan for a line of the file. */
type Plan = ImportOutcome &
  (
    | { outcome: 'refused' | 'unchanged' }
    | { outcome: 'update'; account: Account; groups: Group[] }
    | { outcome: 'create'; person: Person }
  );
type NewMember = Extract<Plan, { person: Person }>;

const refused = (detail: string) => ({ outcome: 'refused', detail }) as const;

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.trim().toLowerCase();

const planRow = (row: ImportRow, groups: readonly Group[], accounts: readonly Account[]): Plan => {
  const email = Email.safeParse(row.email);
  if (!email.success) return refused('This is not an email address.');
  const [fault] = [row.firstname, row.lastname].flatMap((name) => PersonName.safeParse(name).error?.issues ?? []);
  if (fault) return refused(`${fault.message}.`);
  const missing = row.groups.filter((name) => !groups.some((group) => isSame(group.name, name)));
  if (missing.length > 0) return refused(`There is no group ${missing.join(', ')}.`);

  const named = groups.filter((group) => row.groups.some((name) => isSame(group.name, name)));
  const account = accounts.find((known) => known.email === email.data);
  if (account) {
    const joining = named.filter(({ id }) => !account.groupIds.includes(id));
    if (joining.length === 0) return { outcome: 'unchanged', detail: 'Already a user of the network.' };
    const detail = `Joins ${joining.map(({ name }) => name).join(', ')}.`;
    return { outcome: 'update', detail, account, groups: joining };
  }
  const person = { email: email.data, firstname: row.firstname.trim(), lastname: row.lastname.trim(), groups: named };
  if (person.firstname === '' || person.lastname === '') return refused('First name and last name are required.');
  return { outcome: 'create', detail: 'An invitation is sent by email.', person };
};

const planRows = async (tx: Transaction, { network }: Caller, rows: readonly ImportRow[]): Promise<Plan[]> => {
  const emails = rows.flatMap(({ email }) => Email.safeParse(email).data ?? []);
  const accounts = emails.length === 0 ? [] : await findMembersByEmail(tx, network.id, emails);
  const names = rows.flatMap(({ groups }) => groups);
  const groups = names.length === 0 ? [] : await lockGroupsByName(tx, network.id, names);
  return rows.map((row) => planRow(row, groups, accounts));
};

/** Applies all plans with a fixed number of statements, and returns the addresses of new members. */
const applyPlans = async (
  tx: Transaction,
  parts: Parts,
  caller: Caller,
  plans: readonly Plan[],
): Promise<Set<string>> => {
  const { network } = caller;
  const entering = plans.filter((plan): plan is NewMember => plan.outcome === 'create');
  const people = new Map(entering.map(({ person }) => [person.email, person]));
  const members = await insertInvitations(tx, network.id, [...people.values()]);
  await sendInvitations(tx, parts, members, network);
  const changed = plans.flatMap((plan) => (plan.outcome === 'update' ? [plan] : []));
  await insertGroupUsers(tx, [
    ...members.flatMap(({ id, email }) =>
      (people.get(email)?.groups ?? []).map((group) => ({ user: id, group: group.id })),
    ),
    ...changed.flatMap(({ account, groups }) => groups.map((group) => ({ user: account.id, group: group.id }))),
  ]);
  const namesOf = (groups: readonly Group[] = []) => groups.map(({ name }) => name);
  await recordAudits(tx, [
    ...members.map(({ email, fullname }) => ({
      ...actorOf(caller),
      action: 'create' as const,
      object: 'user' as const,
      subject: `user ${email}`,
      new_data: { email, fullname, groups: namesOf(people.get(email)?.groups) },
    })),
    ...changed.map(({ account, groups }) => ({
      ...actorOf(caller),
      action: 'create' as const,
      object: 'user' as const,
      subject: `user ${account.email} in groups`,
      new_data: { user_id: account.id, groups: namesOf(groups) },
    })),
  ]);
  return new Set(members.map(({ email }) => email));
};

/** Splits lines into parts that can be applied together: in order, and with each address at most once per part. */
const splitByAddress = (rows: readonly ImportRow[]): ImportRow[][] => {
  const parts: ImportRow[][] = [[]];
  for (const row of rows) {
    const isRepeated = parts.at(-1)?.some(({ email }) => isSame(email.trim(), row.email));
    if (isRepeated) parts.push([row]);
    else parts.at(-1)?.push(row);
  }
  return parts;
};

/**
 * Imports all lines in one transaction. If it fails, each line is retried in its own transaction, so that one failure
 * does not affect the others.
 */
const importLines = async (
  parts: Parts,
  caller: Caller,
  rows: readonly ImportRow[],
  apply: boolean,
): Promise<ImportOutcome[]> => {
  try {
    return await parts.db.transaction(async (tx) => {
      const plans = await planRows(tx, caller, rows);
      const members = apply ? await applyPlans(tx, parts, caller, plans) : undefined;
      return plans.map((plan) => {
        // Somebody else has just added this person.
        const isTaken = members && 'person' in plan && !members.has(plan.person.email);
        return isTaken ? refused(new ApiError('user_exists').message) : { outcome: plan.outcome, detail: plan.detail };
      });
    });
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    if (rows.length > 1) return runInOrder(rows, (row) => importLines(parts, caller, [row], apply));
    if (isUnstorable(error)) return [refused(new ApiError('invalid_input').message)];
    if (error instanceof ApiError && error.code === 'mail_limit') return [refused(error.message)];
    throw error;
  }
};

const runInOrder = async <Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<ImportOutcome[]>,
): Promise<ImportOutcome[]> => {
  const outcomes: ImportOutcome[] = [];
  for (const item of items) outcomes.push(...(await work(item)));
  return outcomes;
};

export const importRows = (
  parts: Parts,
  caller: Caller,
  rows: readonly ImportRow[],
  apply: boolean,
): Promise<ImportOutcome[]> => runInOrder(splitByAddress(rows), (lines) => importLines(parts, caller, lines, apply));
