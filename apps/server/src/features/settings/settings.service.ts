import type { PasswordPolicy } from '@opensocial/contract';
import type { networkSettings } from '../../database/schema.ts';

type Settings = Pick<typeof networkSettings.$inferSelect, 'password_length' | 'password_complexity' | 'mfa'>;

const longest = 1_024;

const rules: Record<string, { pattern: string; name: string }> = {
  lowerletter: { pattern: '[a-z]', name: 'a lower-case letter' },
  upperletter: { pattern: '[A-Z]', name: 'an upper-case letter' },
  number: { pattern: '[0-9]', name: 'a number' },
  special: { pattern: '[^A-Za-z0-9]', name: 'a special character' },
};

/** A password that is the only proof has to be long; beside a second factor it may be shorter. */
const lengthOf = (settings: Settings): number => settings.password_length ?? (settings.mfa === 'Enable' ? 8 : 16);

/** The network's rules for the browser, made from the settings each time and never taken from a client. */
export const toPasswordPolicy = (settings: Settings): PasswordPolicy => {
  const length = lengthOf(settings);
  const asked = settings.password_complexity.flatMap((name) => rules[name] ?? []);
  const wanted = asked.length > 0 ? `, with ${new Intl.ListFormat('en').format(asked.map((rule) => rule.name))}` : '';
  return {
    password_regex: `^${asked.map((rule) => `(?=[^]*${rule.pattern})`).join('')}[^]{${length},${longest}}$`,
    password_length: length,
    regex_message: `The password must have at least ${length} characters${wanted}.`,
  };
};

export const followsPolicy = (settings: Settings, password: string): boolean =>
  password.length >= lengthOf(settings) &&
  password.length <= longest &&
  settings.password_complexity.every((name) => new RegExp(rules[name]?.pattern ?? '').test(password));
