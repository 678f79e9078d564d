import { z } from 'zod';

/**
 * Every error of the API: its status and its default text. Texts that docs/specification.md fixes are spelled exactly
 * as there.
 */
export const errors = {
  bad_request: { status: 400, message: 'The request could not be read.' },
  invalid_input: { status: 400, message: 'Some of the values are not valid.' },
  network_exists: { status: 409, message: 'A network of this name already exists.' },
  site_exists: { status: 409, message: 'Same Site already exists' },
  list_too_long: {
    status: 400,
    message: 'This list is too long for one response. Read it page by page.',
  },
  site_fixed: { status: 400, message: 'The identity, domain and protocol of a site cannot be changed.' },
  icon_refused: { status: 400, message: 'This icon is not plain SVG markup.' },
  image_unknown: { status: 400, message: 'This image does not belong to the network.' },
  certificate_unreadable: {
    status: 400,
    message:
      'The certificate cannot be used. It must have an RSA key of at least 2,048 bits, or an ECDSA key on P-256, P-384 or P-521.',
  },
  acs_index_repeated: { status: 400, message: 'Each ACS URL of a site needs an index of its own.' },
  signature_unverifiable: {
    status: 400,
    message:
      'Signed requests need a certificate that verifies them. Add the certificate of the site, or do not require signatures.',
  },
  encryption_impossible: {
    status: 400,
    message: 'Encrypted assertions need one certificate of the site with an RSA key of at least 2,048 bits.',
  },
  metadata_unreadable: { status: 400, message: "This is not a service provider's metadata." },
  update_url_refused: {
    status: 400,
    message: 'This Mode Update URL cannot be used for announcing changes of the mode.',
  },
  metadata_url_refused: { status: 400, message: 'This metadata URL cannot be used.' },
  metadata_url_missing: {
    status: 409,
    message: 'This site has no metadata URL. Enter it in the SSO parameters first.',
  },
  site_not_checked: { status: 409, message: 'The check of this site is turned off.' },
  maintenance_past: { status: 400, message: 'Choose a time in the future.' },
  metadata_changed: {
    status: 409,
    message: 'The metadata or the parameters of the site have changed in the meantime. Check the differences again.',
  },
  fix_gone: {
    status: 409,
    message: 'This problem no longer exists, or the application has not proven the value. Look at it again.',
  },
  back_channel_refused: { status: 400, message: 'This address cannot be used for logout messages between servers.' },
  jwks_uri_refused: { status: 400, message: 'This keys URL cannot be used.' },
  jwks_refused: {
    status: 400,
    message:
      'These keys cannot be used. Each must be an RSA key of at least 2,048 bits, or a key on P-256, P-384 or P-521.',
  },
  oidc_secret_limit: {
    status: 409,
    message:
      'This site already has two secrets. Remove the one that the application no longer uses, then create another one.',
  },
  oidc_secret_unused: { status: 409, message: 'This site does not authenticate with a secret.' },
  claims_refused: { status: 400, message: 'These claims cannot be used.' },
  address_unreachable: { status: 400, message: 'The address could not be read.' },
  not_visited_mode: {
    status: 409,
    message: 'Users can be removed from a site only while the mode of the network is Visited.',
  },
  user_exists: { status: 409, message: 'This email address already belongs to a user of this network.' },
  user_elsewhere: {
    status: 403,
    message:
      "This person's home network is another one. You can remove them from this network, but not change their account.",
  },
  names_personal: {
    status: 403,
    message: 'This person belongs to other networks too, so only they can change their name.',
  },
  factors_personal: {
    status: 403,
    message:
      'This person belongs to other networks too. Only an owner of the main network can reset their second factor.',
  },
  last_network: {
    status: 409,
    message: 'This is your only network. To delete your account, ask an administrator of the network.',
  },
  address_unproven: {
    status: 409,
    message:
      "Your email address is not confirmed yet, because your account was activated by a link that an administrator gave you. Choose 'Forgotten password?' on the sign-in page, use the link in the email, and then accept the invitation.",
  },
  user_mail_missing: {
    status: 409,
    message: 'No mail server is set up, so the email would not reach anybody.',
  },
  user_link_refused: {
    status: 409,
    message: 'The link of this invitation is only sent by email, so that it reaches nobody but the person.',
  },
  user_not_ready: {
    status: 409,
    message: 'This is possible only for an active and confirmed account.',
  },
  user_self: { status: 409, message: 'You cannot do this to your own account.' },
  user_confirmed: { status: 409, message: 'This account is already confirmed.' },
  user_fixed: { status: 400, message: 'Only the names of a user can be changed here.' },
  last_owner: { status: 409, message: 'This is the last owner of the network. Add another one first.' },
  owner_not_invited: { status: 409, message: 'This owner has no open invitation.' },
  owner_has_account: {
    status: 409,
    message: 'This person has an account already, and finds the invitation on the profile.',
  },
  owner_exists: { status: 409, message: 'The email is already exists' },
  group_exists: { status: 409, message: 'Same group already exists' },
  signing_key_exists: {
    status: 409,
    message: 'This network already has a next key. Switch to it, or remove it first.',
  },
  signing_key_state: {
    status: 409,
    message: 'This is not possible in the current state of the key. Reload the page to see its state.',
  },
  signing_key_used: {
    status: 409,
    message: 'Sites still use this key. Switch them to another key first.',
  },
  site_identity_taken: { status: 409, message: 'Another site uses this SSO Identity now.' },
  site_acs_taken: { status: 409, message: 'Another site uses this SSO ACS URL now.' },
  group_name_taken: { status: 409, message: 'Another group has this name now. Rename it, then restore this one.' },
  user_returned: { status: 409, message: 'This person is in the network again, so there is nothing to restore.' },
  person_changed: {
    status: 409,
    message: 'This person cannot be restored, because their account has changed since. Invite them again.',
  },
  revert_impossible: { status: 409, message: 'This change cannot be reverted.' },
  revert_stale: {
    status: 409,
    message: 'Something that this change has set was changed again since, so it cannot be reverted.',
  },
  range_reversed: { status: 400, message: 'The last day is before the first day.' },
  template_refused: { status: 400, message: 'This template cannot be sent.' },
  picture_unknown: { status: 400, message: 'This picture is not one of your uploads.' },
  email_invalid: { status: 400, message: 'Invalid email address' },
  token_used: { status: 400, message: 'Invalid verification code or it is already used' },
  password_refused: { status: 400, message: 'The password does not follow the rules of this network.' },
  password_wrong: { status: 400, message: 'The old password is wrong.' },
  token_wrong: { status: 400, message: 'Unable to validate the provided code' },
  mfa_active: { status: 409, message: 'An authenticator app is already set up. Clear it first.' },
  mail_server_missing: {
    status: 409,
    message: 'No mail server is configured. Set SMTP_URL and restart the server.',
  },
  mail_unavailable: {
    status: 409,
    message: 'Email codes cannot be switched on: this service does not send email yet. Please tell your administrator.',
  },
  mfa_inactive: { status: 409, message: 'No authenticator app is set up.' },
  passkey_exists: { status: 409, message: 'This passkey is already on your account.' },
  passkey_limit: { status: 409, message: 'You have reached the maximum number of passkeys. Remove one first.' },
  passkey_refused: {
    status: 400,
    message: 'The passkey could not be added. Start again and finish within ten minutes.',
  },
  passkey_impossible: {
    status: 409,
    message: 'Passkeys need an https address with a name, and this service has none. Please tell your administrator.',
  },
  login_last: {
    status: 409,
    message:
      'This is the only way into your account. Set a password first, with the forgotten password link on the sign-in page.',
  },
  origin_unknown: { status: 400, message: 'This address does not belong to this service.' },
  file_type_invalid: {
    status: 400,
    message: 'The file type is not valid. Supported types: image/jpeg, image/png, image/jpg, image/svg, image/gif',
  },
  file_unreadable: {
    status: 400,
    message: 'This picture cannot be read: it is damaged, or has more than 50 million pixels or 100 frames.',
  },
  file_missing: { status: 400, message: 'The request contains no file.' },
  auth_required: { status: 401, message: 'Please sign in.' },
  reauth_required: {
    status: 401,
    message: 'This change requires a sign-in within the last ten minutes. Please sign in again.',
  },
  other_person: {
    status: 409,
    message: 'Somebody else has signed in with this browser. Nothing was changed. Reload the page to continue.',
  },
  forbidden: { status: 403, message: "You don't have permission to do this." },
  cross_site: { status: 403, message: 'This request did not come from a page of this service.' },
  not_found: { status: 404, message: 'This does not exist, or you do not have access to it.' },
  email_unknown: { status: 404, message: 'Incorrect email address' },
  cursor_gone: { status: 410, message: 'The list has changed and is being reloaded.' },
  desktop_changed: {
    status: 409,
    message: 'Somebody else has changed this desktop. It has been reloaded: check it, then repeat your change.',
  },
  sections_changed: {
    status: 409,
    message: 'You have changed your sections in another browser since you opened them here.',
  },
  changed_meanwhile: {
    status: 409,
    message: 'Somebody else has changed this since you opened it. Look at their changes before you save yours.',
  },
  image_in_use: { status: 409, message: 'This image is in use.' },
  library_full: {
    status: 409,
    message:
      'The media library of this network is full. Delete images that are no longer needed, also from the trash, then try again.',
  },
  file_too_large: { status: 413, message: 'File size too large, max size allowed is 100 MB' },
  too_large: { status: 413, message: 'The request is too large.' },
  mail_limit: {
    status: 429,
    message: 'Too many emails were sent today, to this person or from this network. Please try again tomorrow.',
  },
  too_many: { status: 429, message: 'Too many attempts. Please wait a while and try again.' },
  uploads_busy: { status: 429, message: 'Two of your files are already being uploaded. Wait until one is finished.' },
  streams_busy: { status: 429, message: 'You are already following the log in five tabs. Close one of them first.' },
  internal: { status: 500, message: 'Something went wrong on our side.' },
  storage_full: { status: 507, message: 'There is no space left to store files. Please tell your administrator.' },
  database_full: {
    status: 503,
    message: 'Nothing can be saved: the database has no disk space left. Please tell your administrator.',
  },
  busy: { status: 503, message: 'Too many people are signing in right now. Please try again in a few seconds.' },
  unavailable: { status: 503, message: 'The service is not available right now. Please try again in a moment.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errors;

export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  /** Seconds after which a retry may succeed. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    options: { message?: string; status?: number; cause?: unknown; retryAfter?: number } = {},
  ) {
    super(options.message ?? errors[code].message, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = options.status ?? errors[code].status;
    this.retryAfter = options.retryAfter;
  }
}

export const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === 'string' && Object.hasOwn(errors, value);

/**
 * The body of every error response. `code` is for programs. `message` and `error` both hold the text for people,
 * because §8 has some screens show one and some the other.
 */
export const ErrorAnswer = z.object({
  message: z.string(),
  error: z.string(),
  /** The same text, for calls whose answers have `msg` (§7). */
  msg: z.string().optional(),
  code: z.custom<ErrorCode>(isErrorCode).meta({ type: 'string', enum: Object.keys(errors) }),
});
export type ErrorAnswer = z.infer<typeof ErrorAnswer>;

/** The only `error` that §8 spells as a code: clients of the list of networks compare it. */
const codeAsError: ErrorCode = 'auth_required';

/** Errors of the calls whose answers have `msg` (§7.4 and §7.6). */
const codesWithMsg: ReadonlySet<ErrorCode> = new Set(['site_exists', 'owner_exists']);

export const toErrorAnswer = ({ message, code }: ApiError): ErrorAnswer => ({
  message,
  ...(codesWithMsg.has(code) && { msg: message }),
  error: code === codeAsError ? code : message,
  code,
});
