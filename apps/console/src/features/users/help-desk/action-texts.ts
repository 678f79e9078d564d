import type { ActionState, User, UserAction, UserSecurity } from '@opensocial/contract';
import { listOf } from '../../../patterns/format/format.ts';

/** The actions in the order of their buttons: first what helps a person to sign in. */
export const actionOrder = [
  'invite',
  'copy_link',
  'send_reset',
  'unlock',
  'enable',
  'sign_out',
  'reset_factors',
  'disable',
] as const satisfies readonly UserAction[];

export type ActionFacts = { user: User; security: UserSecurity; network: string };

type Question = { title: string; text: string; danger?: boolean };

/** The texts of an action. Without a question it is done at once. */
type ActionTexts = { button: string; question?: Question };

const scopeOf = ({ security, network }: ActionFacts): string => (security.everywhere ? 'everywhere' : `in ${network}`);

const subjectOf = ({ user, security, network }: ActionFacts): string => {
  if (user.invited) return 'invitation';
  return security.everywhere ? 'account' : `access to ${network}`;
};

const told = ({ security }: ActionFacts): string => (security.sends_mail ? ' The person is notified by email.' : '');

const disableText = (facts: ActionFacts): string => {
  const { email, invited } = facts.user;
  if (invited) return `${email} cannot accept the invitation until you enable it again.`;
  const where = facts.security.everywhere ? 'anywhere' : `to the applications of ${facts.network}`;
  const what = `${email} is signed out and cannot sign in ${where} until you enable ${facts.security.everywhere ? 'the account' : 'the access'} again.`;
  return `${what}${told(facts)}`;
};

const texts: Record<UserAction, (facts: ActionFacts) => ActionTexts> = {
  invite: () => ({ button: 'Resend invitation' }),
  copy_link: ({ user }) => ({
    button: 'Create invitation link',
    question: {
      title: `Create a link for ${user.email}`,
      text: 'Give the link only to this person: whoever has it can set the password of the account. It works once, within a day, and earlier links stop working. Because the link is not sent by email, it does not prove the address: the account cannot join other networks until the person has used an emailed link.',
    },
  }),
  send_reset: ({ user }) => ({
    button: 'Send password link',
    question: {
      title: `Send a link for a new password to ${user.email}`,
      text: 'The email contains a link that works once, within an hour. The current password works until a new one is set. You cannot see the link.',
    },
  }),
  unlock: (facts) => ({
    button: 'Unlock account',
    question: {
      title: `Unlock ${facts.user.email}`,
      text: `The account was locked after too many failed attempts. Unlock it only if you are sure that they were the person's own.${told(facts)}`,
    },
  }),
  enable: (facts) => ({
    button: `Enable ${subjectOf(facts)}`,
    question: {
      title: `Enable ${facts.user.email}`,
      text: facts.user.invited
        ? `${facts.user.email} can accept the invitation again.`
        : `${facts.user.email} can sign in again.${told(facts)}`,
    },
  }),
  sign_out: (facts) => ({
    button: `Sign out ${scopeOf(facts)}`,
    question: {
      title: `Sign out ${facts.user.email}`,
      text: `${facts.user.email} is signed out ${scopeOf(facts)}.${told(facts)} Open applications may keep their own sessions until these expire.`,
      danger: true,
    },
  }),
  reset_factors: (facts) => ({
    button: 'Reset second factors',
    question: {
      title: `Reset the second factors of ${facts.user.email}`,
      text: `Do this only if you are sure who is asking: until a new second factor is set up, only the password protects the account. The person is signed out everywhere.${told(facts)}`,
      danger: true,
    },
  }),
  disable: (facts) => ({
    button: `Disable ${subjectOf(facts)}`,
    question: { title: `Disable ${facts.user.email}`, text: disableText(facts), danger: true },
  }),
};

export const actionTexts = (action: UserAction, facts: ActionFacts): ActionTexts => texts[action](facts);

/** Without a mail server, a warning above says so. Only for a forgotten password it does not follow what to do. */
type ExplainedState = Exclude<ActionState, 'possible' | 'not_needed' | 'no_mail'>;

const nouns: Record<UserAction, string> = {
  invite: 'resending the invitation',
  copy_link: 'copying the invitation link',
  send_reset: 'sending a password link',
  unlock: 'unlocking the account',
  enable: 'enabling the account',
  sign_out: 'signing out',
  reset_factors: 'resetting second factors',
  disable: 'disabling the account',
};

/** The rest of a sentence that begins with an action. */
const reasons: Record<ExplainedState, (facts: ActionFacts) => string> = {
  self: () => 'not possible for your own account.',
  elsewhere: ({ user }) =>
    `up to ${user.signup_server}, the home network of this person. You can sign them out here, or remove them from this network.`,
  shared: () =>
    'only possible for an owner of the main network, because this person also belongs to other networks. For the same reason you do not see these facts.',
  inactive: () => 'only possible while the account is active and confirmed.',
  by_mail: () => 'not possible: the link is only in the email, so that the person proves that the address is theirs.',
};

const isExplained = (state: ActionState): state is ExplainedState => state in reasons;

const noResetText =
  'A forgotten password needs an emailed link, because with a copied one you could take over the account. Instead, the person requests the link with “Forgotten password?” on the sign-in page, and the operator of the server forwards it from the outbox folder.';

/** Why actions are not offered, one text per reason. */
export const missingActions = (facts: ActionFacts): string[] => {
  const byReason = new Map<ExplainedState, string[]>();
  for (const action of actionOrder) {
    const state = facts.security.actions[action];
    if (isExplained(state)) byReason.set(state, [...(byReason.get(state) ?? []), nouns[action]]);
  }
  const sentences = [...byReason].map(([state, missing]) => {
    const subject = listOf(missing);
    const verb = missing.length > 1 ? 'are' : 'is';
    return `${subject.slice(0, 1).toUpperCase()}${subject.slice(1)} ${verb} ${reasons[state](facts)}`;
  });
  return facts.security.actions.send_reset === 'no_mail' ? [noResetText, ...sentences] : sentences;
};
