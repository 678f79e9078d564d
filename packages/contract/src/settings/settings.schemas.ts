import { z } from 'zod';
import { emptyOr, HelpEmail, NamedNetwork, WebUrl } from '../fields.ts';
import { separateThousands } from '../separate-thousands.ts';
import { TemplateFields } from '../templates/templates.schemas.ts';
import { basedOn, versioned } from '../versions.ts';

/** The services for which a network can have its own keys. */
export const SocialProvider = z.enum(['linkedin', 'facebook', 'google', 'twitter', 'github']);
export type SocialProvider = z.infer<typeof SocialProvider>;

/** §9: the options of each rule of the account policy. */
export const policyOptions = {
  password_expiration: [0, 1, 3, 6],
  password_history: [3, 6, 9],
  password_length: [8, 16, 32],
  password_complexity: ['lowerletter', 'upperletter', 'number', 'special'],
  mfa_options: ['google', 'email'],
} as const;

/** Replaces a stored secret in answers. If a client sends it back, the stored secret stays unchanged. */
export const secretMask = '••••••••';

/** One of the given numbers; forms may send it as text. */
const oneOf = <const N extends readonly number[]>(numbers: N) =>
  z.coerce.number<number | string>().pipe(z.literal(numbers));

/** A comma-separated list of some of the given words, each at most once. */
const someOf = (words: readonly string[]) =>
  z
    .string()
    .transform((list) => [
      ...new Set(
        list
          .split(',')
          .map((word) => word.trim())
          .filter(Boolean),
      ),
    ])
    .refine((list) => list.every((word) => words.includes(word)), `Only ${words.join(', ')}, separated by commas`)
    .transform((list) => words.filter((word) => list.includes(word)).join(','));

const wholeNumber = (most: number) =>
  z.coerce
    .number<number | string>({ error: 'Enter a whole number; 0 means unlimited' })
    .refine((value) => Number.isInteger(value) && value >= 0, 'Enter a whole number; 0 means unlimited')
    .max(most, `At most ${separateThousands(most)}`);

const numberBetween = (least: number, most: number) => {
  const rule = `Enter a whole number from ${least} to ${separateThousands(most)}`;
  return z.coerce
    .number<number | string>({ error: rule })
    .refine((value) => Number.isInteger(value) && value >= least && value <= most, rule);
};

/** The rules for passwords and signing in. */
const policy = {
  /** Months; 0 disables expiration. */
  password_expiration: oneOf(policyOptions.password_expiration),
  password_history: oneOf(policyOptions.password_history),
  password_length: oneOf(policyOptions.password_length),
  password_complexity: someOf(policyOptions.password_complexity),
  /** Days without a sign-in; 0 means unlimited. */
  user_inactivity: wholeNumber(3_650),
  failed_tries: wholeNumber(100),
  mfa: z.enum(['Enable', 'Disable']),
  mfa_options: someOf(policyOptions.mfa_options),
  /** Days for which a device can skip the second factor; 0 means never. */
  mfa_remember_days: wholeNumber(90).default(0),
  /** Whether people can create an account on the sign-in page. */
  sign_up: z.enum(['Enable', 'Disable']).default('Disable'),
  /** Minutes of inactivity and total hours after which the network's sites no longer accept a session. */
  session_idle_minutes: numberBetween(5, 1_440).default(30),
  session_hours: numberBetween(1, 168).default(10),
};

const Key = z.string().trim().max(500);
const Secret = z.string().trim().max(2_000);

const keys = {
  linkedin_key: Key,
  linkedin_secret: Secret,
  facebook_key: Key,
  facebook_secret: Secret,
  google_key: Key,
  google_secret: Secret,
  twitter_key: Key,
  twitter_secret: Secret,
  github_key: Key,
  github_secret: Secret,
} satisfies Record<`${SocialProvider}_key` | `${SocialProvider}_secret`, z.ZodType>;

/** The legal links of sites that use domain level settings. */
const legal = { terms_of_use: emptyOr(WebUrl), privacy_statement: emptyOr(WebUrl), help_email: HelpEmail };

/** 100,000 characters are enough for a long footer, including markup. */
const footer = { footer_link: emptyOr(WebUrl), custom_footer: z.string().max(100_000) };

export const FooterType = z.enum(['Logo', 'Custom']);
export type FooterType = z.infer<typeof FooterType>;

/** Image names; an empty string means no image. */
const look = { logo: z.string().max(100), background: z.string().max(100), footer: z.string().max(100) };

export const NetworkSettings = z.object({
  ...versioned,
  ...look,
  footer_type: FooterType,
  ...footer,
  ...keys,
  ...policy,
  ...legal,
  ...TemplateFields.shape,
});
export type NetworkSettings = z.infer<typeof NetworkSettings>;

/**
 * The whole form. Clients may send images, the footer type and templates along; other calls change them, so they are
 * ignored.
 */
export const SettingsChanges = z
  .strictObject({
    server: NamedNetwork,
    ...basedOn,
    ...footer,
    ...keys,
    ...policy,
    ...legal,
    ...z.object({ ...look, footer_type: FooterType, ...TemplateFields.shape }).partial().shape,
  })
  .refine(({ mfa, mfa_options }) => mfa !== 'Enable' || mfa_options !== '', {
    path: ['mfa_options'],
    error: 'You have to select at least one mfa option',
    // Report this together with the faults of other fields, not after them.
    when: () => true,
  });
export type SettingsChanges = z.input<typeof SettingsChanges>;

/** The policy rules that affect existing users. */
export const PolicyDraft = z.object({
  password_expiration: policy.password_expiration,
  user_inactivity: policy.user_inactivity,
  mfa: policy.mfa,
});
export type PolicyDraft = z.input<typeof PolicyDraft>;

/** How many of the network's own accounts a policy would affect at their next sign-in. */
export const PolicyReach = z.object({
  users: z.int(),
  /** Accounts whose password would be expired. */
  old_passwords: z.int(),
  /** Accounts that would have to set up a second factor. */
  without_mfa: z.int(),
  /** Whether these accounts could not sign in, because no mail server sends the code that comes before the set-up. */
  locks_out: z.boolean(),
  /** Whether the caller would be locked out. */
  locks_you_out: z.boolean(),
  /** Accounts that would be disabled. */
  inactive: z.int(),
});
export type PolicyReach = z.infer<typeof PolicyReach>;

/** The services for which a network would have key and secret, comma-separated. */
export const KeysDraft = z.object({ keys: someOf(SocialProvider.options) });
export type KeysDraft = z.input<typeof KeysDraft>;

/** The sites that nobody could sign in to any more. */
export const LoginReach = z.object({
  count: z.int(),
  /** The first few. */
  sites: z.array(z.object({ id: z.int(), site_name: z.string(), domain: z.string() })),
});
export type LoginReach = z.infer<typeof LoginReach>;

/** The values of the form that are visible on the sign-in page. */
export const SignInPreviewDraft = z.strictObject({
  footer_type: FooterType,
  ...footer,
  ...legal,
  sign_up: policy.sign_up,
});
export type SignInPreviewDraft = z.input<typeof SignInPreviewDraft>;

/** The sign-in page as HTML, without scripts. */
export const SignInPreview = z.object({ html: z.string() });
export type SignInPreview = z.infer<typeof SignInPreview>;

/** The names that `remove_server_logo_bg` uses for the images of a network. */
export const NetworkImageRemoval = z.enum(['remove_logo', 'remove_footer', 'remove_bg']);
export type NetworkImageRemoval = z.infer<typeof NetworkImageRemoval>;
