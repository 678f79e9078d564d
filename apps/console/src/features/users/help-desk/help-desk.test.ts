import type { User, UserAction, UserSecurity } from '@opensocial/contract';
import { expect, test } from 'vitest';
import { accountState, factorsText, sessionsText, sitesText } from './account-state.ts';
import { actionOrder, actionTexts, missingActions } from './action-texts.ts';

const user: User = {
  id: 7,
  uid: 'u7',
  email: 'ivo@northlab.org',
  firstname: 'Ivo',
  lastname: 'Rossi',
  fullname: 'Ivo Rossi',
  status: 'Confirmed',
  user_mode: 'Active',
  bypass_inactivity: 'No',
  created: '2026-01-01T00:00:00.000Z',
  last_login: null,
  signup_server: 'southlab',
  photoURL: '',
  global_user: 'local',
  sso_server_id: 1,
  groups: [],
  invited: false,
  version: 0,
};

const allOf = (state: UserSecurity['actions'][UserAction]) =>
  Object.fromEntries(actionOrder.map((action) => [action, state])) as UserSecurity['actions'];

const security: UserSecurity = {
  sessions: [],
  everywhere: true,
  factors: [],
  passkeys: 0,
  recovery_codes: 0,
  may_reset: false,
  locked_until: null,
  sites: 3,
  more_sites: false,
  sends_mail: true,
  address_unproven: false,
  actions: allOf('not_needed'),
};

test('§2.8 user panel: the state of an account is one word with its meaning', () => {
  const stateOf = (changes: Partial<User>, facts: Partial<UserSecurity> = {}) =>
    accountState({ ...user, ...changes }, { ...security, ...facts }, 'northlab').name;
  expect(stateOf({})).toBe('Active');
  expect(stateOf({ user_mode: 'Disable' })).toBe('Disabled');
  expect(stateOf({ status: 'NonConfirmed' })).toBe('Not confirmed');
  expect(stateOf({ status: 'NonConfirmed', invited: true })).toBe('Invited');
  expect(stateOf({}, { locked_until: '2026-01-01T00:00:00.000Z' })).toBe('Locked');
  expect(accountState({ ...user, user_mode: 'Disable' }, { ...security, everywhere: false }, 'northlab').meaning).toBe(
    'Cannot sign in to the applications of northlab.',
  );
});

test('§2.8 user panel: second factors are named, or it is said why they are not shown', () => {
  expect(factorsText(security)).toBe('None');
  expect(factorsText({ ...security, factors: ['passkey', 'totp'], passkeys: 2, recovery_codes: 1 })).toBe(
    '2 passkeys and authenticator app · 1 recovery code left',
  );
  expect(factorsText({ ...security, factors: ['email'] })).toBe('Email codes');
  expect(factorsText({ ...security, everywhere: false })).toBe(
    'Not shown, because this person also belongs to other networks.',
  );
  expect(sitesText({ ...security, sites: 1000, more_sites: true })).toBe('more than 1,000 sites');
  expect(sessionsText({ ...security, everywhere: false }, 'northlab')).toBe('Not signed in to northlab');
});

test('§2.8 user panel: the reasons for missing actions are whole sentences, one for each reason', () => {
  const facts = (actions: Partial<UserSecurity['actions']>) => ({
    user,
    network: 'northlab',
    security: { ...security, everywhere: false, actions: { ...security.actions, ...actions } },
  });
  expect(missingActions(facts({}))).toEqual([]);
  expect(missingActions(facts({ unlock: 'shared', reset_factors: 'shared', disable: 'elsewhere' }))).toEqual([
    'Unlocking the account and resetting second factors are only possible for an owner of the main network, because this person also belongs to other networks. For the same reason you do not see these facts.',
    'Disabling the account is up to southlab, the home network of this person. You can sign them out here, or remove them from this network.',
  ]);
  expect(missingActions(facts({ invite: 'no_mail' }))).toEqual([]);
  expect(missingActions(facts({ send_reset: 'no_mail' }))).toEqual([
    expect.stringMatching(
      /^A forgotten password needs an emailed link, because .* Instead, the person requests the link/,
    ),
  ]);
});

test('§2.8 user panel: a question says how far the action reaches, and promises a mail only if there is one', () => {
  const questionOf = (action: UserAction, changes: Partial<UserSecurity> = {}) =>
    actionTexts(action, { user, network: 'northlab', security: { ...security, ...changes } }).question?.text;
  expect(questionOf('disable')).toBe(
    'ivo@northlab.org is signed out and cannot sign in anywhere until you enable the account again. The person is notified by email.',
  );
  expect(questionOf('disable', { everywhere: false, sends_mail: false })).toBe(
    'ivo@northlab.org is signed out and cannot sign in to the applications of northlab until you enable the access again.',
  );
  expect(questionOf('invite')).toBeUndefined();
});
