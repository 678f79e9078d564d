/** The reasons of failed sign-ins, as the log has them before the first colon, with the names that screens give them. */
const names = {
  'wrong password': 'Wrong password',
  'unknown address': 'No member with this email address',
  'account locked': 'Locked after wrong passwords',
  'account not confirmed': 'Account not confirmed yet',
  'account disabled': 'Account disabled',
  'account not used for too long': 'Account disabled after a long time without use',
  'account gone': 'Account deleted meanwhile',
  'not a member of the network': 'Not a member of the network',
  'disabled in the network': 'Disabled in this network',
  'site disabled': 'Site disabled',
  'site closed': 'Site closed',
  'not in a group of the site': 'Not in a group of the site',
  'no second factor set up': 'No second factor set up',
  'wrong code of the second factor': 'Wrong second-factor code',
  'login type not offered': 'Way to sign in not offered',
  'unknown passkey': 'Unknown passkey',
  'the application asked for another person': 'Application asked for another person',
  'the application asked for a stronger sign-in': 'Application asked for a stronger sign-in',
  linkedin: 'LinkedIn did not sign in',
  facebook: 'Facebook did not sign in',
  google: 'Google did not sign in',
  twitter: 'Twitter did not sign in',
  github: 'GitHub did not sign in',
} as const satisfies Record<string, string>;

/** For a choice of reasons. */
export const failureReasons: readonly { value: string; label: string }[] = Object.entries(names).map(
  ([value, label]) => ({ value, label }),
);

/** The name of a reason. Providers that the installation has configured are shown as they are called there, with a capital letter. */
export const failureLabel = (reason: string): string =>
  failureReasons.find(({ value }) => value === reason)?.label ??
  (reason === '' ? 'Other' : reason.slice(0, 1).toUpperCase() + reason.slice(1));
