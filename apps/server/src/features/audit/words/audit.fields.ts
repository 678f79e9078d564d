import {
  type AuditObject,
  authenticationLabels,
  bindingLabels,
  complexityLabels,
  expirationText,
  factorLabels,
  type Group,
  historyText,
  lengthText,
  nameIdFormatLabels,
  nameIdSourceLabels,
  type OidcParameters,
  oidcLabels,
  protocolLabels,
  providerLabels,
  settingLabels,
  signatureLabels,
  siteLabels,
} from '@opensocial/contract';
import type { images, networkSettings, sites } from '../../../database/schema.ts';
import {
  amount,
  attributes,
  certificate,
  choice,
  choices,
  content,
  type Field,
  type FieldDescription,
  flag,
  furtherAttributes,
  hidden,
  list,
  named,
  number,
  orElse,
  publicKeys,
  secret,
  text,
  time,
} from './audit.values.ts';

/**
 * Every field of the audit records by kind of object, with its label and the words of its values. A column of a row that is recorded as a
 * whole, and a field that a record is given, must be listed here: otherwise the program does not compile.
 */
type Fields<Name extends string> = Readonly<Record<Name, FieldDescription>>;

/** A deleted object in the trash. */
const trash = {
  label: text('Name'),
  deleted_by: text('Deleted by'),
  deleted_at: time('Deleted'),
  notes: list('Not restored'),
} satisfies Fields<string>;

const oidc: Readonly<Record<keyof OidcParameters, Field>> = {
  authentication: choice(oidcLabels.authentication, authenticationLabels),
  redirect_uris: list(oidcLabels.redirect_uris),
  post_logout_uris: list(oidcLabels.post_logout_uris),
  backchannel_logout_uri: text(oidcLabels.backchannel_logout_uri),
  frontchannel_logout_uri: text(oidcLabels.frontchannel_logout_uri),
  algorithm: text(oidcLabels.algorithm),
  requires_pkce: flag(oidcLabels.requires_pkce),
  allows_offline: flag(oidcLabels.allows_offline),
  jwks: publicKeys(oidcLabels.jwks),
  jwks_uri: text(oidcLabels.jwks_uri),
};

const site = {
  id: hidden,
  network_id: hidden,
  kind: hidden,
  protocol: choice(siteLabels.protocol, protocolLabels),
  identity: text(siteLabels.identity),
  domain: text(siteLabels.domain),
  site_name: text(siteLabels.site_name),
  login_url: text(siteLabels.login_url),
  status: text(siteLabels.status),
  site_mode: text(siteLabels.site_mode),
  closed_message: text(siteLabels.closed_message),
  message_title: text(siteLabels.message_title),
  message: text(siteLabels.message),
  closes_at: time(siteLabels.closes_at),
  opens_at: time(siteLabels.opens_at),
  testers_group_id: named(siteLabels.testers, 'group'),
  domain_level_settings: flag(siteLabels.domain_level_settings),
  terms_of_use: text(siteLabels.terms_of_use),
  privacy_statement: text(siteLabels.privacy_statement),
  help_email: text(siteLabels.help_email),
  mfa: text(siteLabels.mfa),
  auth_options: list(siteLabels.auth_options),
  email_login: flag(siteLabels.email_login),
  custom_auth_options: list(siteLabels.custom_auth_options),
  acs: text(siteLabels.acs),
  acs_index: text(siteLabels.acs_index),
  further_acs: list(siteLabels.further_acs, ({ index, url }: { index: number; url: string }) => `${url} (${index})`),
  sls: text(siteLabels.sls),
  sls_binding: choice(siteLabels.sls_binding, bindingLabels),
  sls_response: text(siteLabels.sls_response),
  sls_soap: text(siteLabels.sls_soap),
  update_url: text(siteLabels.update_url),
  certificate: certificate(siteLabels.certificate),
  signed_requests: flag(siteLabels.signed_requests),
  signs: choice(siteLabels.signs, signatureLabels),
  encrypts: flag(siteLabels.encrypts),
  encryption_certificate: certificate(siteLabels.encryption_certificate),
  metadata_url: text(siteLabels.metadata_url),
  name_id_format: choice('NameID: format', nameIdFormatLabels),
  name_id_source: choice('NameID: value', nameIdSourceLabels),
  attributes: orElse(attributes('Attributes of this site'), 'The default attributes'),
  attribute_index: text('Index of the list of attributes'),
  further_attributes: furtherAttributes('Further lists of attributes'),
  oidc: { parts: oidc },
  secrets: list('Secrets'),
  signing_key_id: orElse(named('Our signing key', 'key'), 'The current key of the network'),
  icon: content(siteLabels.icon, 'icon'),
  icon_bg: named(siteLabels.icon_bg, 'image'),
  icon_color: text(siteLabels.icon_color),
  icon_background: text(siteLabels.icon_background),
  icon_width: amount(siteLabels.icon_width, 'pixel', 'pixels'),
  icon_height: hidden,
  text_color: text(siteLabels.text_color),
  text_background: text(siteLabels.text_background),
  logo: named(siteLabels.logo, 'image'),
  background: named(siteLabels.background, 'image'),
  desktop_position: text('Position on the desktop'),
  watched_until: time('Recorded in more detail until'),
  checks_reachability: flag(siteLabels.checks_reachability),
  shows_unreachable: flag(siteLabels.shows_unreachable),
  created_at: time('Added'),
  ...trash,
} satisfies Fields<Exclude<keyof typeof sites.$inferSelect, 'version'> | 'secrets' | keyof typeof trash>;

const group = {
  id: hidden,
  sso_server: hidden,
  name: text('Group Name'),
  description: text('Description'),
  group_id: named('Group', 'group'),
  group: text('Group'),
  user_id: named('Person', 'user'),
  user: text('Person'),
  site_id: named('Site', 'site'),
  site: text('Site'),
  ...trash,
} satisfies Fields<keyof Group | keyof typeof trash | 'group_id' | 'group' | 'user_id' | 'user' | 'site_id' | 'site'>;

const decisions = {
  'accepted the invitation': 'Accepted the invitation',
  'declined the invitation': 'Declined the invitation',
  'left the network': 'Left the network',
};

const factorNames: Readonly<Record<string, string>> = {
  passkey: 'Passkey',
  totp: 'Authenticator app',
  email: 'Code by email',
};

/** The recovery on the command line removes all factors, and does not say which. */
const orRemoved = (field: Field): Field => ({
  ...field,
  say: (value, context) => (value === 'removed' ? 'Removed' : field.say(value, context)),
});

const user = {
  email: text('Email'),
  fullname: text('Name'),
  firstname: text('First Name'),
  lastname: text('Last Name'),
  groups: list('Groups'),
  status: text('Status'),
  user_mode: text('Mode'),
  bypass_inactivity: flag('never disable'),
  unlocked: flag('Unlocked'),
  decision: choice('Decision', decisions),
  sessions: choice('Signed out', {
    everywhere: 'Everywhere',
    'in this network': 'In this network',
    ended: 'Everywhere',
  }),
  factors: orRemoved(choices('Second factors', factorNames)),
  password: choice('Password', { link: 'Link for a new password' }),
  user_id: named('Person', 'user'),
  user: text('Person'),
  site_id: named('Site', 'site'),
  site: text('Site'),
  ...trash,
} satisfies Fields<string>;

const unlimited = (field: Field): Field => ({
  ...field,
  say: (value, context) => (value === 0 ? 'Unlimited' : field.say(value, context)),
});

const settings = {
  network_id: hidden,
  logo: named(settingLabels.logo, 'image'),
  background: named(settingLabels.background, 'image'),
  footer: named(settingLabels.footer, 'image'),
  footer_link: text(settingLabels.footer_link),
  footer_type: text(settingLabels.footer_type),
  custom_footer: text(settingLabels.custom_footer),
  linkedin_key: text(`${providerLabels.linkedin} key`),
  linkedin_secret: secret(`${providerLabels.linkedin} secret`),
  facebook_key: text(`${providerLabels.facebook} key`),
  facebook_secret: secret(`${providerLabels.facebook} secret`),
  google_key: text(`${providerLabels.google} key`),
  google_secret: secret(`${providerLabels.google} secret`),
  twitter_key: text(`${providerLabels.twitter} key`),
  twitter_secret: secret(`${providerLabels.twitter} secret`),
  github_key: text(`${providerLabels.github} key`),
  github_secret: secret(`${providerLabels.github} secret`),
  password_expiration: number(settingLabels.password_expiration, expirationText),
  password_history: number(settingLabels.password_history, historyText),
  password_length: orElse(number(settingLabels.password_length, lengthText), '16 characters, or 8 if MFA is enabled'),
  password_complexity: choices(settingLabels.password_complexity, complexityLabels),
  user_inactivity: unlimited(amount(settingLabels.user_inactivity, 'day', 'days')),
  failed_tries: unlimited(text(settingLabels.failed_tries)),
  mfa: text(settingLabels.mfa),
  mfa_options: choices(settingLabels.mfa_options, factorLabels),
  mfa_remember_days: amount(settingLabels.mfa_remember_days, 'day', 'days', 'Never'),
  terms_of_use: text(settingLabels.terms_of_use),
  privacy_statement: text(settingLabels.privacy_statement),
  help_email: text(settingLabels.help_email),
  sign_up: text(settingLabels.sign_up),
  session_idle_minutes: amount(settingLabels.session_idle_minutes, 'minute', 'minutes'),
  session_hours: amount(settingLabels.session_hours, 'hour', 'hours'),
} satisfies Fields<Exclude<keyof typeof networkSettings.$inferSelect, 'version'>>;

const network = {
  name: text('Name'),
  mode: text('Mode of the network'),
  state: choice('Key', { current: 'Current key', next: 'Next key', retired: 'Retired key' }),
  algorithm: choice('Algorithm', {
    'rsa-2048': 'RSA, 2,048 bits',
    'rsa-3072': 'RSA, 3,072 bits',
    'rsa-4096': 'RSA, 4,096 bits',
    'ec-p256': 'ECDSA, P-256',
  }),
  fingerprint: text('SHA-256 fingerprint'),
  tried_until: time('Tried until'),
  site: text('Site'),
  signing_key: orElse(named('Our signing key', 'key'), 'The current key of the network'),
} satisfies Fields<string>;

const image = {
  id: hidden,
  network_id: hidden,
  kind: hidden,
  name: hidden,
  searched: hidden,
  file_name: text('File name'),
  media_type: text('Type'),
  size: amount('Size', 'byte', 'bytes'),
  width: amount('Width', 'pixel', 'pixels'),
  height: amount('Height', 'pixel', 'pixels'),
  title: text('Title'),
  alt_text: text('Alt text'),
  caption: text('Caption'),
  description: text('Description'),
  created_at: time('Added'),
  uses: list('Was used by'),
  ...trash,
} satisfies Fields<keyof typeof images.$inferSelect | 'uses' | keyof typeof trash>;

const profile = {
  firstname: text('First Name'),
  lastname: text('Last Name'),
  happened: text('What happened'),
  name: text('Passkey'),
  provider: choice('Login', providerLabels),
  linked: time('Linked'),
  confirmed: flag('Address confirmed'),
} satisfies Fields<string>;

const other = {
  kid: text('Key id'),
  is_compromised: flag('Reported as compromised'),
  records: text('Deleted records'),
  through: text('Last position in the chain'),
  older_than_days: amount('Older than', 'day', 'days'),
} satisfies Fields<string>;

export const auditFields = {
  site,
  group,
  user,
  owner: { owner: text('Owner email') },
  settings,
  network,
  desktop: { desktop_apps: orElse(named('Apps, in this order', 'site'), 'None') },
  template: { in_use: flag('In use'), subject: text('Subject'), html: text('Text of the mail, as HTML') },
  image,
  profile,
  other,
} as const satisfies Record<Exclude<AuditObject, 'claim'>, Fields<string>>;

/** The kinds of objects that the server records. Claims are descriptions by consoles. */
export type AuditedObject = keyof typeof auditFields;

/** The values that a record about a kind of object can have. */
export type AuditData<Kind extends AuditedObject = AuditedObject> = Kind extends AuditedObject
  ? { readonly [Name in keyof (typeof auditFields)[Kind]]?: unknown }
  : never;
