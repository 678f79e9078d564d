import type { AccessOutcome, AccessStep, AccessTarget } from '@opensocial/contract';
import type { SignInDecision, StageId } from '../sign-in/sign-in.service.ts';
import type { Member } from '../users/users.service.ts';

/** What the sentences about an access decision are made of. */
export type AccessFacts = {
  decision: SignInDecision;
  /** The person as the user panel of the network shows them. */
  member: Member;
  network: { id: number; name: string };
  siteGroups: { names: readonly string[]; total: number };
};

type Described = { outcome?: AccessOutcome; text: string; change_at: AccessTarget[] };
type Describe = (facts: AccessFacts, isRefused: boolean) => Described;

/** The name of a person in a sentence. */
export const nameOf = ({ fullname, email }: { fullname: string; email: string }): string => fullname.trim() || email;

const listed = (words: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string =>
  new Intl.ListFormat('en', { type }).format(words);

const minutesUntil = (end: Date): string => {
  const minutes = Math.max(1, Math.ceil((end.getTime() - Date.now()) / 60_000));
  return minutes === 1 ? 'one more minute' : `${minutes} more minutes`;
};

const lockedFor = (name: string, end: Date): string =>
  `Browsers that ${name} has not signed in with before are locked out for ${minutesUntil(end)}.`;

/** The settings of a network can be changed only by its own owners. */
const homeSettings = ({ member, network }: AccessFacts): AccessTarget[] =>
  member.home_network_id === network.id ? ['settings'] : [];

const describeLogin: Describe = ({ decision: { logins, destination }, member }, isRefused) => {
  const [name, site] = [nameOf(member), destination.site.site_name];
  const labels = (...usable: string[]) =>
    logins.filter(({ isUsable }) => usable.includes(isUsable)).map(({ label }) => label);
  const [certain, possible] = [labels('yes'), labels('perhaps')];
  if (logins.length === 0) return { text: `${site} offers no way to sign in that works.`, change_at: ['site'] };
  if (isRefused)
    return {
      text: `${site} offers ${listed(labels('no'), 'disjunction')}. ${name} has none of them.`,
      change_at: ['site', 'user'],
    };
  const byAddress = `${listed(possible, 'disjunction')} if the address ${member.email} is confirmed there`;
  if (certain.length === 0)
    return { outcome: 'note', text: `${name} can sign in with ${byAddress}.`, change_at: ['site'] };
  const others = possible.length > 0 ? `, and with ${byAddress}` : '';
  return { text: `${name} can sign in with ${listed(certain, 'disjunction')}${others}.`, change_at: ['site'] };
};

const describeLock: Describe = ({ decision: { locks, logins }, member }, isRefused) => {
  if (locks.passwords === null) return { text: 'The account is not locked.', change_at: [] };
  const lock = `There were too many wrong passwords. ${lockedFor(nameOf(member), locks.passwords)}`;
  if (isRefused) return { text: lock, change_at: ['user'] };
  const others = logins.filter(({ isUsable, needsPassword }) => isUsable !== 'no' && !needsPassword);
  const names = others.map(({ label }) => label);
  return {
    outcome: 'note',
    text: `${lock} Signing in with ${listed(names, 'disjunction')} still works.`,
    change_at: ['user'],
  };
};

const factorNames = {
  passkey: 'passkey',
  totp: 'authenticator app',
  email: 'code by email',
  recovery: 'recovery code',
  setup: 'authenticator app',
} as const;

const ruleOf = ({ decision: { rule, destination }, member, network }: AccessFacts): string => {
  const setBy = {
    installation: 'The installation',
    network: network.name,
    'home network': `The home network of ${nameOf(member)}`,
    site: destination.site.site_name,
  };
  if (!rule) return `${nameOf(member)} has set up a second factor, which is always asked for.`;
  return `${setBy[rule.setBy]} requires a second factor.`;
};

const ruleTargets = ({ decision: { rule } }: AccessFacts): AccessTarget[] => {
  if (!rule) return [];
  return rule.setBy === 'site' ? ['site'] : ['settings'];
};

const describeFactor: Describe = (facts, isRefused) => {
  const { decision, member } = facts;
  const { factors, locks, rule } = decision;
  const name = nameOf(member);
  if (factors.length === 0) return { text: 'No second factor is required.', change_at: ['settings', 'site'] };
  const lock = locks.codes ?? locks.mailedCodes;
  if (isRefused && lock)
    return { text: `There were too many wrong codes. ${lockedFor(name, lock)}`, change_at: ['user'] };
  const change_at = [...ruleTargets(facts), ...(rule ? [] : (['user'] as const))];
  if (isRefused)
    return {
      text: `${ruleOf(facts)} ${name} has none, and can set one up only after a sign-in with a password or a passkey, which is not possible here.`,
      change_at: [...change_at, 'site'],
    };
  if (factors.includes('setup'))
    return {
      outcome: 'note',
      text: `${ruleOf(facts)} ${name} has none, and sets up an authenticator app during the sign-in.`,
      change_at,
    };
  const accepted = listed(
    factors.map((factor) => factorNames[factor]),
    'disjunction',
  );
  return { text: `${ruleOf(facts)} ${name} can confirm with: ${accepted}.`, change_at };
};

const describeGroups: Describe = ({ decision: { user, destination }, member, siteGroups }, isRefused) => {
  const [name, site] = [nameOf(member), destination.site.site_name];
  const more = siteGroups.total - siteGroups.names.length;
  const names = [...siteGroups.names, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  if (isRefused)
    return {
      text: `${name} is not in any of the groups of ${site}: ${names}.`,
      change_at: ['site_groups', 'user_groups'],
    };
  if (siteGroups.total === 0)
    return { text: `${site} has no groups, so all members may enter.`, change_at: ['site_groups'] };
  return {
    text: `${name} is in ${user.groups.length === 1 ? 'a group' : 'groups'} of ${site}: ${user.groups.join(', ')}.`,
    change_at: ['site_groups', 'user_groups'],
  };
};

const describeMode: Describe = ({ decision: { destination, user }, member, network }, isRefused) => {
  const { site_name, site_mode } = destination.site;
  if (isRefused) return { text: `${site_name} is closed.`, change_at: ['site'] };
  if (site_mode === 'Open') return { text: `${site_name} is open.`, change_at: ['site'] };
  return {
    outcome: 'note',
    text: `${site_name} is closed. ${nameOf(member)} is ${user.isOwner ? `an owner of ${network.name}` : 'a tester of the site'} and may enter anyway.`,
    change_at: ['site'],
  };
};

/** A step with one sentence for each of its two results. */
const eitherOr =
  (
    sentences: (facts: AccessFacts) => { yes: string; no: string },
    change_at: (facts: AccessFacts) => AccessTarget[],
  ): Describe =>
  (facts, isRefused) => ({ text: sentences(facts)[isRefused ? 'no' : 'yes'], change_at: change_at(facts) });

/** The sentence of each stage of a sign-in. The type requires one for every stage, so that an explanation cannot leave one out. */
const descriptions: Record<StageId, Describe> = {
  login: describeLogin,
  lock: describeLock,
  confirmed: eitherOr(
    ({ member }) => ({
      yes: 'The account is confirmed.',
      no: `The account of ${nameOf(member)} is not confirmed yet.`,
    }),
    () => ['user'],
  ),
  active: eitherOr(
    ({ member }) => ({ yes: 'The account is active.', no: `The account of ${nameOf(member)} is disabled.` }),
    () => ['user'],
  ),
  in_use: eitherOr(
    ({ member }) => ({
      yes: 'The account has not been inactive for too long.',
      no: `The account of ${nameOf(member)} has not been used for longer than ${member.signup_server} allows.`,
    }),
    (facts) => ['user', ...homeSettings(facts)],
  ),
  factor: describeFactor,
  member: eitherOr(
    ({ member, network }) => ({
      yes: `${nameOf(member)} is a member of ${network.name}.`,
      no: `${nameOf(member)} is not a member of ${network.name}.`,
    }),
    () => ['user'],
  ),
  unblocked: eitherOr(
    ({ member, network }) => ({
      yes: `${nameOf(member)} is confirmed and active in ${network.name}.`,
      no: `${nameOf(member)} is disabled or not confirmed in ${network.name}.`,
    }),
    () => ['user'],
  ),
  site_status: eitherOr(
    ({ decision: { destination } }) => ({
      yes: `${destination.site.site_name} is active.`,
      no: `${destination.site.site_name} is disabled.`,
    }),
    () => ['site'],
  ),
  site_mode: describeMode,
  groups: describeGroups,
};

const describeStage = (facts: AccessFacts, { id, isRefused }: SignInDecision['stages'][number]): AccessStep => {
  const described = descriptions[id](facts, isRefused);
  return { id, ...described, outcome: isRefused ? 'no' : (described.outcome ?? 'yes') };
};

/** An expired password is changed during the sign-in, so it refuses nobody. */
const passwordStep = (facts: AccessFacts): AccessStep[] => {
  const { decision, member } = facts;
  const change_at = homeSettings(facts);
  if (!decision.hasUsablePassword) return [];
  return decision.needsNewPassword
    ? [
        {
          id: 'password',
          outcome: 'note',
          text: `The password has expired. ${nameOf(member)} chooses a new one during the sign-in.`,
          change_at,
        },
      ]
    : [{ id: 'password', outcome: 'yes', text: 'The password has not expired.', change_at }];
};

/** All steps, for a person whose account is administered by this network alone. */
export const accountSteps = (facts: AccessFacts): AccessStep[] =>
  facts.decision.stages.flatMap((stage) => [
    describeStage(facts, stage),
    ...(stage.id === 'factor' ? passwordStep(facts) : []),
  ]);

const isOneOf = <Id extends string>(ids: readonly Id[], id: string): id is Id => ids.some((one) => one === id);

/** The stages that depend on nothing but the account and the membership, of which the user panel shows only the sum. */
const stateStages = ['confirmed', 'active', 'in_use', 'unblocked'] as const satisfies readonly StageId[];

/** The stages that depend on what the person can prove. */
const proofStages = ['login', 'lock', 'factor'] as const satisfies readonly StageId[];

/** The other stages, which depend on the site and on the person's place in its network. */
const siteSteps = (facts: AccessFacts): AccessStep[] =>
  facts.decision.stages
    .filter(({ id }) => !isOneOf([...stateStages, ...proofStages], id))
    .map((stage) => describeStage(facts, stage));

/**
 * The steps for a person who has not accepted the invitation. There is no account that could sign in. If an owner has confirmed the
 * invitation, a login at a provider that confirms the address makes it an account.
 */
export const invitationSteps = (facts: AccessFacts): AccessStep[] => {
  const { decision, member } = facts;
  const name = nameOf(member);
  const providers = decision.logins.filter(({ isUsable }) => isUsable === 'perhaps').map(({ label }) => label);
  const isConfirmed = member.status === 'Confirmed' && member.user_mode === 'Active' && providers.length > 0;
  const invitation = `${name} has not accepted the invitation yet.`;
  if (!isConfirmed)
    return [{ id: 'invitation', outcome: 'no', text: invitation, change_at: ['user'] }, ...siteSteps(facts)];
  const way = `${listed(providers, 'disjunction')} if the address ${member.email} is confirmed there`;
  return [
    {
      id: 'invitation',
      outcome: 'note',
      text: `${invitation} An owner has confirmed it, so ${name} can sign in with ${way}.`,
      change_at: ['user'],
    },
    ...decision.stages.filter(({ id }) => id === 'factor').map((stage) => describeStage(facts, stage)),
    ...siteSteps(facts),
  ];
};

/**
 * The steps for a person who belongs to other networks too. The state of the account and of the membership are shown as one, as in the
 * user panel. The logins, locks, factors and password of the person are left out, and must not influence any outcome: otherwise an owner
 * could find them out by changing the rules of a site.
 */
export const membershipSteps = (facts: AccessFacts): AccessStep[] => {
  const { decision, member, network } = facts;
  const { logins, rule, destination, stages } = decision;
  const [name, site] = [nameOf(member), destination.site.site_name];
  const offered = listed(
    logins.map(({ label }) => label),
    'disjunction',
  );
  const isStopped = stages.some(({ id, isRefused }) => isRefused && isOneOf(stateStages, id));
  const hidden = `is not shown, because ${name} belongs to other networks too.`;
  const state = member.status === 'Confirmed' ? 'disabled' : 'not confirmed';
  return [
    logins.length === 0
      ? { id: 'login', ...describeLogin(facts, true), outcome: 'no' }
      : {
          id: 'login',
          outcome: 'note',
          text: `${site} offers ${offered}. What ${name} can use ${hidden}`,
          change_at: ['site'],
        },
    {
      id: 'active',
      outcome: isStopped ? 'no' : 'yes',
      text: isStopped ? `${name} is ${state}.` : `${name} is confirmed and active.`,
      change_at: member.home_network_id === network.id ? ['user'] : [],
    },
    {
      id: 'factor',
      outcome: 'note',
      text: rule
        ? `${ruleOf(facts)} What ${name} has set up ${hidden}`
        : `Neither ${network.name} nor ${site} requires a second factor. ${name} is asked for one only after setting one up.`,
      change_at: ruleTargets(facts),
    },
    ...siteSteps(facts),
  ];
};
