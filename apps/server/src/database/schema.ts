import type { Attribute, AuditObject, OidcParameters, PersonMailKind, SiteRelease } from '@opensocial/contract';
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  date,
  inet,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
} from 'drizzle-orm/pg-core';

/**
 * The tables as queries see them. The migrations beside this file create them; a test compares the two. Constraints and
 * indexes are in the migrations only, named table__column__column.
 */
const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const id = () => bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity();
const reference = () => bigint({ mode: 'number' });
const moment = () => timestamp({ withTimezone: true, mode: 'date' });
const createdAt = () => moment().notNull().defaultNow();
/** Raised by a trigger with every update of the row, so that cached rows can be revalidated. */
const rowVersion = () => bigint({ mode: 'number' }).notNull().default(1);

// ── Networks ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A tenant: its own sites, users, groups, owners, settings and signing keys. */
export const networks = pgTable('networks', {
  id: id(),
  sso_id: text().notNull(),
  name: text().notNull(),
  mode: text({ enum: ['AdminManaged', 'All', 'Visited'] })
    .notNull()
    .default('AdminManaged'),
  /** Counts the changes of the desktop, for optimistic concurrency control. */
  desktop_version: integer().notNull().default(0),
  version: rowVersion(),
  created_at: createdAt(),
});

/** One row per network. `*_secret` are encrypted. */
export const networkSettings = pgTable('network_settings', {
  network_id: reference().primaryKey(),
  version: rowVersion(),
  logo: text(),
  background: text(),
  footer: text(),
  footer_link: text(),
  footer_type: text({ enum: ['Logo', 'Custom'] })
    .notNull()
    .default('Logo'),
  custom_footer: text(),
  linkedin_key: text(),
  linkedin_secret: bytes(),
  facebook_key: text(),
  facebook_secret: bytes(),
  google_key: text(),
  google_secret: bytes(),
  twitter_key: text(),
  twitter_secret: bytes(),
  github_key: text(),
  github_secret: bytes(),
  /** Months; 0 disables expiration. */
  password_expiration: smallint().notNull().default(0),
  password_history: smallint().notNull().default(3),
  /** Null means 16 if MFA is disabled, otherwise 8. */
  password_length: smallint(),
  password_complexity: text().array().notNull().default(sql`'{}'`),
  /** Days without a sign-in until an account is disabled; 0 means unlimited. */
  user_inactivity: integer().notNull().default(0),
  failed_tries: integer().notNull().default(10),
  mfa: text({ enum: ['Enable', 'Disable'] })
    .notNull()
    .default('Disable'),
  mfa_options: text().array().notNull().default(sql`'{}'`),
  /** The legal links of sites that use domain level settings. */
  terms_of_use: text(),
  privacy_statement: text(),
  help_email: text(),
  /** Whether people can create an account on the sign-in page. */
  sign_up: text({ enum: ['Enable', 'Disable'] })
    .notNull()
    .default('Disable'),
  /** Days for which a device can skip the second factor; 0 means never. */
  mfa_remember_days: smallint().notNull().default(0),
  /** The idle timeout and the maximum age of a session at the network's sites. */
  session_idle_minutes: smallint().notNull().default(30),
  session_hours: smallint().notNull().default(10),
});

/** What the list of first steps of a network cannot find out from other tables. */
export const networkSetup = pgTable('network_setup', {
  network_id: reference().primaryKey(),
  dismissed_at: moment(),
  /** When an owner said that backups are made. */
  backup_at: moment(),
  /** When a mail was last sent as a test and the mail server accepted it. */
  mail_at: moment(),
});

export const templateKinds = ['invitation', 'ex_user_invitation', 'signup', 'reset', 'resend', 'emailmfa'] as const;

export const emailTemplates = pgTable(
  'email_templates',
  {
    network_id: reference().notNull(),
    kind: text({ enum: templateKinds }).notNull(),
    in_use: boolean().notNull().default(false),
    design: jsonb(),
    html: text(),
    /** Null means the default subject. */
    subject: text(),
    /** When the owners were notified that this template cannot be sent. */
    refused_at: moment(),
  },
  (table) => [primaryKey({ columns: [table.network_id, table.kind] })],
);

/** The saved versions of a template, up to a limit; the newest is the one in `email_templates`. */
export const emailTemplateVersions = pgTable('email_template_versions', {
  id: id(),
  network_id: reference().notNull(),
  kind: text({ enum: templateKinds }).notNull(),
  design: jsonb(),
  html: text().notNull(),
  subject: text(),
  /** The email address of the person who saved it; empty for versions from before this was recorded. */
  saved_by: text().notNull(),
  saved_at: moment().notNull().defaultNow(),
});

/**
 * The keys of a network: the current one, at most one that will replace it, and former ones. All of them are published. A site is
 * signed with the current key, unless `sites.signing_key_id` names another one. `private_key` is encrypted.
 */
export const signingKeys = pgTable('signing_keys', {
  id: id(),
  network_id: reference().notNull(),
  state: text({ enum: ['current', 'next', 'retired'] }).notNull(),
  algorithm: text({ enum: ['rsa-2048', 'rsa-3072', 'rsa-4096', 'ec-p256'] })
    .notNull()
    .default('rsa-2048'),
  private_key: bytes().notNull(),
  certificate: text().notNull(),
  /** When the certificate expires. */
  not_after: moment().notNull().default(sql`now() + interval '3650 days' - interval '1 minute'`),
  retired_at: moment(),
  /** The person whose own sign-ins are signed with this key until `tried_until`. */
  tried_by: reference(),
  tried_until: moment(),
  version: rowVersion(),
  created_at: createdAt(),
});

/** When a sign-in at a site was last signed with a key; updated at most once an hour. */
export const signingKeyUses = pgTable(
  'signing_key_uses',
  { key_id: reference().notNull(), site_id: reference().notNull(), last_used_at: moment().notNull().defaultNow() },
  (table) => [primaryKey({ columns: [table.key_id, table.site_id] })],
);

/** The mails about certificates that expire soon. `subject` is 'key', or 'site:' and the id of the site. */
export const expiryNotices = pgTable(
  'expiry_notices',
  {
    network_id: reference().notNull(),
    subject: text().notNull(),
    fingerprint: text().notNull(),
    days: smallint().notNull(),
    sent_at: moment().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.network_id, table.subject, table.fingerprint, table.days] })],
);

// ── People ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * An account, or an invitation to one. An account may belong to many networks; its home network is the one whose
 * invitation or sign-up the person confirmed. An invitation is `provisional`: it belongs to the network that sent it,
 * has the data that this network entered, and cannot sign in. An address has at most one account, and at most one
 * invitation per network.
 */
export const users = pgTable('users', {
  id: id(),
  uid: text().notNull(),
  /** The email address, always in lower case. */
  email: text().notNull(),
  firstname: text().notNull().default(''),
  lastname: text().notNull().default(''),
  fullname: text().notNull().generatedAlwaysAs(sql`btrim(firstname || ' ' || lastname)`),
  /** Name and email, one per line, in lower case, for searching. */
  searched: text().notNull().generatedAlwaysAs(sql`lower(btrim(firstname || ' ' || lastname) || E'\n' || email)`),
  /** The same with a marker between its characters, for searching two characters. */
  spread: text()
    .notNull()
    .generatedAlwaysAs(sql`regexp_replace(lower(btrim(firstname || ' ' || lastname) || E'\n' || email), '', 'Q', 'g')`),
  picture: text(),
  password_hash: text(),
  password_changed_at: moment(),
  status: text({ enum: ['Confirmed', 'NonConfirmed'] })
    .notNull()
    .default('NonConfirmed'),
  user_mode: text({ enum: ['Active', 'Disable'] })
    .notNull()
    .default('Active'),
  provisional: boolean().notNull().default(false),
  /** Whether the account was activated by a link that an owner has copied, and the address was not confirmed by mail since. */
  address_unproven: boolean().notNull().default(false),
  bypass_inactivity: boolean().notNull().default(false),
  email_mfa: boolean().notNull().default(false),
  /** The secret of the authenticator app; encrypted. */
  totp_secret: bytes(),
  /** The time step of the last accepted code: each is valid once. */
  totp_last_step: bigint({ mode: 'number' }),
  /** Updated whenever password or second factors change: devices that were remembered before are no longer trusted. */
  credentials_at: moment().notNull().defaultNow(),
  /** The WebAuthn user handle, created with the first passkey. */
  passkey_handle: bytes(),
  home_network_id: reference().notNull(),
  default_network_id: reference().notNull(),
  last_login_at: moment(),
  /** When an owner last reactivated the account: days without a sign-in count from then. */
  reopened_at: moment(),
  created_at: createdAt(),
});

/** Hashes of earlier passwords, newest first by id. */
export const passwordHistory = pgTable('password_history', {
  id: id(),
  user_id: reference().notNull(),
  password_hash: text().notNull(),
  created_at: createdAt(),
});

/** The secret of an authenticator app that was shown and not confirmed yet; encrypted. */
export const pendingTotp = pgTable('pending_totp', {
  user_id: reference().primaryKey(),
  secret: bytes().notNull(),
  expires_at: moment().notNull(),
});

/** Recovery codes for a lost authenticator app. Only hashes are stored. */
export const recoveryCodes = pgTable('recovery_codes', {
  id: id(),
  user_id: reference().notNull(),
  code_hash: bytes().notNull(),
  used_at: moment(),
});

/** WebAuthn credentials. `credential_id` is unique across all accounts. */
export const passkeys = pgTable('passkeys', {
  id: id(),
  user_id: reference().notNull(),
  credential_id: bytes().notNull(),
  public_key: bytes().notNull(),
  /** The signature counter, if the device has one. */
  counter: bigint({ mode: 'number' }).notNull().default(0),
  transports: text().array().notNull().default([]),
  name: text().notNull(),
  backed_up: boolean().notNull().default(false),
  created_at: createdAt(),
  last_used_at: moment(),
});

/** The challenge of a passkey that is being created in a session. */
export const pendingPasskeys = pgTable('pending_passkeys', {
  session_id: reference().primaryKey(),
  challenge: bytes().notNull(),
  expires_at: moment().notNull(),
});

/** The subject of a person at a social login. */
export const socialIdentities = pgTable('social_identities', {
  id: id(),
  user_id: reference().notNull(),
  provider: text().notNull(),
  subject: text().notNull(),
  /** Null if it was not used since this is recorded. */
  last_used_at: moment(),
  created_at: createdAt(),
});

/** Pictures that a user has uploaded; one of them may be shown. */
export const profilePictures = pgTable('profile_pictures', {
  name: text().primaryKey(),
  user_id: reference().notNull(),
  created_at: createdAt(),
});

/**
 * Who belongs to which network. `status` and `user_mode` are the decisions of the network's owners and apply in this
 * network; those of the account itself are in `users`. A member may enter the sites of the network only if both allow
 * it.
 */
export const memberships = pgTable(
  'memberships',
  {
    network_id: reference().notNull(),
    user_id: reference().notNull(),
    status: text({ enum: ['Confirmed', 'NonConfirmed'] })
      .notNull()
      .default('Confirmed'),
    user_mode: text({ enum: ['Active', 'Disable'] })
      .notNull()
      .default('Active'),
    /** Sign-ins from before this moment are not accepted at the sites of the network. */
    sessions_ended_at: moment(),
    /** The last sign-in to a site of the network; in the person's home network also to the console. */
    last_login_at: moment(),
    /** Counts the changes of the sections on the member's own desktop, for optimistic concurrency control. */
    desktop_version: integer().notNull().default(0),
    created_at: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.network_id, table.user_id] })],
);

/** The number of members of a network, by the status and mode that owners see; maintained by triggers. */
export const memberCounts = pgTable(
  'member_counts',
  {
    network_id: reference().notNull(),
    status: text({ enum: ['Confirmed', 'NonConfirmed'] }).notNull(),
    user_mode: text({ enum: ['Active', 'Disable'] }).notNull(),
    members: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.network_id, table.status, table.user_mode] })],
);

/** What the overview says about the people of a large network; a job counts them. */
export const peopleCounts = pgTable('people_counts', {
  network_id: reference().primaryKey(),
  /** The accounts that this network alone administers. */
  people: bigint({ mode: 'number' }).notNull(),
  with_factor: bigint({ mode: 'number' }).notNull(),
  with_passkey: bigint({ mode: 'number' }).notNull(),
  /** The accounts that will be disabled soon because nobody uses them, and the ids of some. */
  unused: bigint({ mode: 'number' }).notNull(),
  unused_ids: bigint({ mode: 'number' }).array().notNull(),
  counted_at: moment().notNull(),
});

/** The use of the sites of a network with many sites; a job counts them. The ids are the first of each list. */
export const siteUseCounts = pgTable('site_use_counts', {
  network_id: reference().primaryKey(),
  total: bigint({ mode: 'number' }).notNull(),
  /** The sites that were never used. */
  unused: bigint({ mode: 'number' }).notNull(),
  used_ids: bigint({ mode: 'number' }).array().notNull(),
  unused_ids: bigint({ mode: 'number' }).array().notNull(),
  counted_at: moment().notNull(),
});

/** An address that administers a network; effective once an account with that address is confirmed. */
export const owners = pgTable('owners', {
  id: id(),
  network_id: reference().notNull(),
  email: text().notNull(),
  created_at: createdAt(),
});

export const groups = pgTable('groups', {
  id: id(),
  network_id: reference().notNull(),
  name: text().notNull(),
  description: text().notNull(),
  created_at: createdAt(),
});

export const groupUsers = pgTable('group_users', {
  id: id(),
  group_id: reference().notNull(),
  user_id: reference().notNull(),
});

export const groupSites = pgTable('group_sites', {
  id: id(),
  group_id: reference().notNull(),
  site_id: reference().notNull(),
});

// ── Sites ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** An assertion consumer service besides the default one. */
export type AcsEndpoint = { index: number; url: string };

/** A SAML service provider. The console is one too, in the main network, and is excluded from every list. */
export const sites = pgTable('sites', {
  id: id(),
  version: rowVersion(),
  network_id: reference().notNull(),
  kind: text({ enum: ['site', 'console'] })
    .notNull()
    .default('site'),
  protocol: text({ enum: ['saml', 'oidc'] })
    .notNull()
    .default('saml'),
  /** The SAML entity id, or the client id of a site that uses OpenID Connect. */
  identity: text().notNull(),
  /** Empty if the site uses OpenID Connect. */
  acs: text().notNull(),
  /** The index of `acs` in the metadata of the site; null if it is not known. */
  acs_index: integer(),
  further_acs: jsonb().$type<AcsEndpoint[]>().notNull().default([]),
  /** Null if the site does not support single logout. */
  sls: text(),
  /** The binding of `sls`. `auto`: requests by redirect, responses by the binding of the site's request. */
  sls_binding: text({ enum: ['auto', 'redirect', 'post', 'soap'] })
    .notNull()
    .default('auto'),
  /** The address for responses; null if it is `sls`. */
  sls_response: text(),
  /** The address for messages from server to server, besides `sls`. */
  sls_soap: text(),
  domain: text().notNull(),
  update_url: text(),
  /** The service provider's certificates, one per line. If there are any, its messages must be signed. */
  certificate: text(),
  /** Whether AuthnRequests must be signed too: many service providers sign only their LogoutRequests. */
  signed_requests: boolean().notNull().default(true),
  /** Which elements of a response are signed. */
  signs: text({ enum: ['assertion', 'response', 'both'] })
    .notNull()
    .default('both'),
  /** Whether assertions are encrypted for the owner of `encryption_certificate`. */
  encrypts: boolean().notNull().default(false),
  encryption_certificate: text(),
  /** The NameID: as each request asks, or always the same format. */
  name_id_format: text({ enum: ['requested', 'emailAddress', 'persistent', 'transient', 'unspecified'] })
    .notNull()
    .default('requested'),
  name_id_source: text({ enum: ['email', 'uid'] })
    .notNull()
    .default('email'),
  /** The attributes of each assertion; null means the default set. */
  attributes: jsonb().$type<Attribute[]>(),
  /** The index of `attributes` in the metadata of the site; null if it is not known. */
  attribute_index: integer(),
  /** The attributes that requests ask for by another index. */
  further_attributes: jsonb().$type<SiteRelease['further_attributes']>().notNull().default([]),
  /** Where the metadata of the site is read again every day. */
  metadata_url: text(),
  /** Null if the site uses SAML. */
  oidc: jsonb().$type<OidcParameters>(),
  site_name: text().notNull(),
  login_url: text(),
  status: text({ enum: ['Active', 'Disable'] })
    .notNull()
    .default('Active'),
  site_mode: text({ enum: ['Open', 'Closed'] })
    .notNull()
    .default('Open'),
  closed_message: text(),
  message_title: text(),
  message: text(),
  domain_level_settings: boolean().notNull().default(true),
  terms_of_use: text(),
  privacy_statement: text(),
  help_email: text(),
  mfa: text({ enum: ['Enable', 'Disable'] })
    .notNull()
    .default('Disable'),
  auth_options: text().array().notNull().default(sql`'{}'`),
  custom_auth_options: text().array().notNull().default(sql`'{}'`),
  email_login: boolean().notNull().default(true),
  icon: text(),
  icon_bg: text(),
  icon_color: text(),
  icon_background: text(),
  icon_width: smallint().notNull().default(61),
  icon_height: smallint().notNull().default(61),
  text_color: text(),
  text_background: text(),
  logo: text(),
  background: text(),
  /** The position on the desktop; null means not on the desktop. */
  desktop_position: integer(),
  /** The key that signs the responses to this site; null means the current key of the network. */
  signing_key_id: reference(),
  /** Planned maintenance: when the site is closed, and when it is opened again. */
  closes_at: moment(),
  opens_at: moment(),
  /** The group whose members may enter the site while it is closed. */
  testers_group_id: reference(),
  /** Until then, more exchanges of the site are kept. */
  watched_until: moment(),
  /** Whether the server checks that it can reach the site, and whether the tile says when it cannot. */
  checks_reachability: boolean().notNull().default(true),
  shows_unreachable: boolean().notNull().default(false),
  created_at: createdAt(),
});

/** Recent exchanges with a site, redacted. `facts` is what was received, without anything that grants access. */
export const siteExchanges = pgTable('site_exchanges', {
  id: id(),
  site_id: reference().notNull(),
  user_id: reference(),
  step: text({ enum: ['request', 'decision', 'answer', 'token', 'userinfo', 'logout'] }).notNull(),
  outcome: text({ enum: ['refused', 'waiting', 'accepted'] }).notNull(),
  code: text().notNull(),
  is_verified: boolean().notNull(),
  digest: text().notNull(),
  times: integer().notNull().default(1),
  first_at: moment().notNull().defaultNow(),
  last_at: moment().notNull().defaultNow(),
  facts: jsonb().notNull(),
});

/** Requests of applications that are not registered in the network. */
export const unknownArrivals = pgTable('unknown_arrivals', {
  id: id(),
  network_id: reference().notNull(),
  protocol: text({ enum: ['saml', 'oidc'] }).notNull(),
  identity: text().notNull(),
  address: text().notNull(),
  times: integer().notNull().default(1),
  first_at: moment().notNull().defaultNow(),
  last_at: moment().notNull().defaultNow(),
});

/** The reference numbers of error pages that people have seen while they signed in. */
export const errorReferences = pgTable('error_references', {
  id: id(),
  network_id: reference().notNull(),
  reference: text().notNull(),
  site_id: reference(),
  user_id: reference(),
  line_id: reference(),
  title: text().notNull(),
  message: text().notNull(),
  at: moment().notNull().defaultNow(),
});

/** Which users have tried to sign in to which sites, for desktops in Visited mode. */
export const siteVisits = pgTable(
  'site_visits',
  { user_id: reference().notNull(), site_id: reference().notNull(), last_at: moment().notNull().defaultNow() },
  (table) => [primaryKey({ columns: [table.user_id, table.site_id] })],
);

/** The sites that a person has marked on the desktop. */
export const desktopFavourites = pgTable(
  'desktop_favourites',
  { user_id: reference().notNull(), site_id: reference().notNull(), created_at: moment().notNull().defaultNow() },
  (table) => [primaryKey({ columns: [table.user_id, table.site_id] })],
);

/** The sections that a member makes on the own desktop of a network. */
export const desktopSections = pgTable('desktop_sections', {
  id: id(),
  network_id: reference().notNull(),
  user_id: reference().notNull(),
  name: text().notNull(),
  position: smallint().notNull(),
  is_collapsed: boolean().notNull().default(false),
});

/** The sites in these sections. A site is in at most one section of a person. */
export const desktopSectionSites = pgTable(
  'desktop_section_sites',
  {
    user_id: reference().notNull(),
    site_id: reference().notNull(),
    section_id: reference().notNull(),
    position: smallint().notNull(),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.site_id] })],
);

/** The last change of a site's mode, and its delivery to the site's Mode Update URL. */
export const siteAnnouncements = pgTable('site_announcements', {
  site_id: reference().primaryKey(),
  uid: text().notNull(),
  mode: text({ enum: ['Open', 'Closed'] }).notNull(),
  tries: integer().notNull().default(0),
  /** The result of the last attempt, as a sentence. */
  outcome: text().notNull().default(''),
  changed_at: moment().notNull().defaultNow(),
  last_try_at: moment(),
  delivered_at: moment(),
});

/**
 * The state of reading the metadata of a site again. It belongs to the address, and is not a part of `sites`, whose updates invalidate the
 * caches of all servers.
 */
export const siteRefreshes = pgTable('site_refreshes', {
  site_id: reference().primaryKey(),
  url: text().notNull(),
  next_at: moment().notNull(),
  tried_at: moment(),
  /** The last success. */
  read_at: moment(),
  /** Failed attempts since the last success. */
  failures: integer().notNull().default(0),
  failing_since: moment(),
  /** Why the last attempt failed, as a sentence; empty if it did not. */
  failure: text().notNull().default(''),
  etag: text().notNull().default(''),
  last_modified: text().notNull().default(''),
  /** The parameters in the metadata when it was last read. */
  found: jsonb().$type<unknown>(),
  valid_until: moment(),
  /** The number of differences between the metadata and the parameters of the site. */
  differences: integer().notNull().default(0),
});

/** Whether the server can reach the address of a site to which people are sent after signing in. */
export const siteChecks = pgTable('site_checks', {
  site_id: reference().primaryKey(),
  url: text().notNull(),
  next_at: moment().notNull(),
  tried_at: moment(),
  outcome: text({ enum: ['reached', 'failed', 'skipped'] }),
  /** Why the address was not reached, as a sentence; empty if it was. */
  detail: text().notNull().default(''),
  reached_at: moment(),
  /** Failed attempts since the address was last reached. */
  failures: integer().notNull().default(0),
  failing_since: moment(),
});

/** The mails about metadata that were sent, so that owners get only one about the same. */
export const refreshNotices = pgTable(
  'refresh_notices',
  {
    site_id: reference().notNull(),
    kind: text({ enum: ['differences', 'failure', 'expiry'] }).notNull(),
    digest: text().notNull(),
    sent_at: moment().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.site_id, table.kind, table.digest] })],
);

// ── Signing in ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** How a second factor was proven; `device` is a remembered device that skipped it. */
export const mfaMethods = ['totp', 'email', 'recovery', 'passkey', 'device'] as const;

/** A browser that is signed in at the identity provider, for all networks. */
export const identitySessions = pgTable('identity_sessions', {
  id: id(),
  token_hash: bytes().notNull(),
  session_index: text().notNull(),
  user_id: reference().notNull(),
  /** 'OpenSocial' for email and password, otherwise the name of the provider. */
  login_from: text().notNull(),
  /** Null if no second factor was required. */
  mfa: text({ enum: mfaMethods }),
  ip_address: inet(),
  user_agent: text(),
  authenticated_at: moment().notNull(),
  last_seen_at: moment().notNull().defaultNow(),
  created_at: createdAt(),
});

/** The sites that a session has signed in to, which a logout has to notify. */
export const identitySessionSites = pgTable(
  'identity_session_sites',
  {
    session_id: reference().notNull(),
    site_id: reference().notNull(),
    name_id: text().notNull(),
    name_id_format: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.session_id, table.site_id] })],
);

/** A browser that is signed in to the console. */
export const consoleSessions = pgTable('console_sessions', {
  id: id(),
  token_hash: bytes().notNull(),
  user_id: reference().notNull(),
  session_index: text().notNull(),
  name_id: text().notNull(),
  selected_network_id: reference().notNull(),
  login_from: text().notNull(),
  authenticated_at: moment().notNull(),
  last_seen_at: moment().notNull().defaultNow(),
  created_at: createdAt(),
});

/** A sign-in in progress: the service provider's request, and the state of the browser. */
export const signIns = pgTable('sign_ins', {
  id: id(),
  token_hash: bytes().notNull(),
  browser_hash: bytes().notNull(),
  /** Hash of the value that the browser got when the user was identified. Null before that. */
  known_hash: bytes(),
  /** The network whose pages and rules apply: the site's network, or the main one while signing in through it. */
  network_id: reference().notNull(),
  site_id: reference().notNull(),
  request_id: text(),
  name_id_format: text(),
  relay_state: text(),
  /** What the request asks for: the authentication and the person. */
  requested: jsonb(),
  is_forced: boolean().notNull().default(false),
  user_id: reference(),
  login_from: text(),
  authenticated_at: moment(),
  /** Null until the second factor is proven. */
  mfa: text({ enum: mfaMethods }),
  /** The encrypted state of a social login. */
  social: jsonb(),
  /** The challenge for a passkey; replaced once it is used. */
  passkey_challenge: bytes().notNull().default(sql`uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())`),
  expires_at: moment().notNull(),
  created_at: createdAt(),
});

/** A test of the sign-in to a site. While it runs, its owner sees answers to the site before they are sent. */
export const siteTests = pgTable('site_tests', {
  id: id(),
  site_id: reference().notNull(),
  user_id: reference().notNull(),
  /** Hash of the cookie of the browser in which the test was begun. */
  token_hash: bytes().notNull(),
  state: text({ enum: ['waiting', 'signing_in', 'paused', 'refused', 'sent', 'stopped'] })
    .notNull()
    .default('waiting'),
  steps: jsonb().notNull().default([]),
  /** The decoded request, until the answer is sent. */
  request: text(),
  /** The request that waits to be answered. */
  paused: jsonb(),
  /** Hash of the authorization code that was sent, by which its redemption is recognised. */
  code_hash: bytes(),
  /** What is signed instead of what the site has; null if the response is signed as the site has it. */
  signs: text({ enum: ['assertion'] }),
  expires_at: moment().notNull(),
  created_at: createdAt(),
});

/** A code that was mailed during a sign-in; a newer one replaces it. */
export const signInCodes = pgTable('sign_in_codes', {
  sign_in_id: reference().primaryKey(),
  code_mac: text().notNull(),
  tries: smallint().notNull().default(0),
  expires_at: moment().notNull(),
  used_at: moment(),
});

/**
 * A code that was mailed to confirm an address before email codes are turned on. It is deleted with the console
 * session.
 */
export const emailMfaCodes = pgTable('email_mfa_codes', {
  session_id: reference().primaryKey(),
  code_mac: text().notNull(),
  tries: smallint().notNull().default(0),
  expires_at: moment().notNull(),
});

/** A logout in progress, or one that has ended a short time ago. */
export const logouts = pgTable('logouts', {
  id: id(),
  /** The hash of a value in a cookie of the browser that began the logout. */
  token_hash: bytes().notNull(),
  network_id: reference().notNull(),
  /** The site that requested the logout and gets the response at the end; null if it began here. */
  requesting_site_id: bigint('asking_site_id', { mode: 'number' }),
  logout_request_id: text('asking_request_id'),
  relay_state: text(),
  is_post: boolean().notNull().default(false),
  /** The address that the browser returns to at the end, if a site began the logout by OpenID Connect and has registered it. */
  post_logout_uri: text(),
  is_finished: boolean().notNull().default(false),
  /** Only servers of the former version use these four while they still run. */
  waiting: jsonb().notNull().default([]),
  request_id: text(),
  told_site_id: bigint({ mode: 'number' }),
  failed: text().array().notNull().default(sql`'{}'`),
  expires_at: moment().notNull(),
  created_at: createdAt(),
});

/**
 * A site that a logout has to inform. `waiting`: no request was made yet. `framed`: a page of ours has the request, for a frame.
 * `returned`: the site has answered in a frame that may have lacked its cookies, so the browser visits it too. `visited`: the browser was
 * sent there. `done`: no further visit follows.
 */
export const logoutSites = pgTable('logout_sites', {
  id: id(),
  logout_id: reference().notNull(),
  site_id: reference().notNull(),
  name_id: text().notNull(),
  name_id_format: text().notNull(),
  session_index: text().notNull(),
  step: text({ enum: ['waiting', 'framed', 'returned', 'visited', 'done'] })
    .notNull()
    .default('waiting'),
  /** Whether a response of the site has reported success. */
  is_informed: boolean().notNull().default(false),
  is_soap_tried: boolean().notNull().default(false),
  /** Whether the latest request is for a frame. */
  is_in_frame: boolean().notNull().default(false),
  /** The id of the latest request. */
  request_id: text(),
  /** The hash of the RelayState of the latest request. */
  token_hash: bytes(),
});

/** The secrets of OpenID Connect clients. `hint` are the last characters. */
export const oidcSecrets = pgTable('oidc_secrets', {
  id: id(),
  site_id: reference().notNull(),
  secret_hash: bytes().notNull(),
  hint: text().notNull(),
  created_at: createdAt(),
});

/** The keys that sign tokens: for each network and algorithm a current one, at most one that will replace it, and former ones. */
export const oidcKeys = pgTable('oidc_keys', {
  id: id(),
  network_id: reference().notNull(),
  algorithm: text({ enum: ['RS256', 'ES256'] }).notNull(),
  state: text({ enum: ['next', 'current', 'retired'] }).notNull(),
  kid: text().notNull(),
  private_key: bytes().notNull(),
  created_at: createdAt(),
  retired_at: moment(),
});

/** What the tokens of a person at a site belong to. Without a session, they outlive it (offline access). */
export const oidcGrants = pgTable('oidc_grants', {
  id: id(),
  uid: text().notNull(),
  site_id: reference().notNull(),
  user_id: reference().notNull(),
  session_id: reference(),
  created_at: createdAt(),
  expires_at: moment().notNull(),
});

/** Codes, tokens, pushed requests and sign-ins in progress, by the hash of the value that a client or browser has. */
export const oidcArtifacts = pgTable('oidc_artifacts', {
  id_hash: bytes().primaryKey(),
  kind: text().notNull(),
  network_id: reference().notNull(),
  grant_id: reference(),
  payload: jsonb().$type<Record<string, unknown>>().notNull(),
  consumed_at: moment(),
  expires_at: moment().notNull(),
});

/** Ids of assertions and requests that were already used, against replays. */
export const samlReplays = pgTable('saml_replays', { message_id: text().primaryKey(), expires_at: moment().notNull() });

/** Consecutive failures per account and per address, known or not. */
export const throttles = pgTable('throttles', {
  key: text().primaryKey(),
  failures: integer().notNull(),
  /** Attempts while locked; 0 if there is no lock. */
  refused: integer().notNull().default(0),
  blocked_until: moment(),
  updated_at: moment().notNull().defaultNow(),
});

export const tokenPurposes = ['activation', 'reset'] as const;

/** Tokens of links in mails. Only a hash is stored; each works once, for one user, purpose and network. */
export const oneTimeTokens = pgTable('one_time_tokens', {
  id: id(),
  token_hash: bytes().notNull(),
  user_id: reference().notNull(),
  network_id: reference().notNull(),
  purpose: text({ enum: tokenPurposes }).notNull(),
  /** Whether an owner has seen the link, so that using it does not prove the address. */
  is_copied: boolean().notNull().default(false),
  expires_at: moment().notNull(),
  used_at: moment(),
  created_at: createdAt(),
});

/** Permits the browser that has just activated an account to set up its first second factor. A trigger on `users` ends it. */
export const activationProofs = pgTable('activation_proofs', {
  user_id: reference().primaryKey(),
  token_hash: bytes().notNull(),
  expires_at: moment().notNull(),
});

/** Declined invitations per network, by a hash of the address. */
export const declinedInvitations = pgTable(
  'declined_invitations',
  {
    network_id: reference().notNull(),
    email_hash: bytes().notNull(),
    declined_at: moment().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.network_id, table.email_hash] })],
);

// ── Records ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Every attempt to sign in, successful or not. Append-only. */
export const loginLog = pgTable('login_log', {
  id: bigint({ mode: 'number' }).notNull().default(sql`nextval('login_log__id')`),
  network_id: reference().notNull(),
  site_id: reference(),
  user_id: reference(),
  /** As typed; null if it is not an email address, because it might be a password. */
  email: text(),
  site: text().notNull(),
  login_status: text({ enum: ['Success', 'Failed'] }).notNull(),
  reason: text().notNull(),
  ip_address: inet().notNull(),
  user_agent: text().notNull().default(''),
  /** The second factor that was used, or that the user failed to provide. */
  mfa: text(),
  session_id: reference(),
  login_time: moment().notNull().defaultNow(),
});

/** The number of log lines per day in UTC; a trigger counts them. */
export const loginLogDays = pgTable(
  'login_log_days',
  {
    network_id: reference().notNull(),
    day: date().notNull(),
    login_status: text({ enum: ['Success', 'Failed'] }).notNull(),
    lines: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.network_id, table.day, table.login_status] })],
);

/** The number of log lines per hour in UTC and reason, for each quarter of the hour; a trigger counts them. Successes have no reason. */
export const loginLogHours = pgTable(
  'login_log_hours',
  {
    network_id: reference().notNull(),
    hour: moment().notNull(),
    login_status: text({ enum: ['Success', 'Failed'] }).notNull(),
    reason: text().notNull(),
    quarter_1: bigint({ mode: 'number' }).notNull(),
    quarter_2: bigint({ mode: 'number' }).notNull(),
    quarter_3: bigint({ mode: 'number' }).notNull(),
    quarter_4: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.network_id, table.hour, table.login_status, table.reason] })],
);

/** The last line from before the hours were introduced that is not counted yet; without a row, all are. */
export const loginLogBackfill = pgTable('login_log_backfill', {
  id: smallint().primaryKey().default(1),
  last_id: bigint({ mode: 'number' }).notNull(),
});

/** The number of log lines per email, site and IP address, in lower case. */
export const loginLogNames = pgTable(
  'login_log_names',
  {
    network_id: reference().notNull(),
    kind: text({ enum: ['email', 'site', 'address'] }).notNull(),
    name: text().notNull(),
    /** The same with a marker between its characters, except for IP addresses. */
    spread: text()
      .notNull()
      .generatedAlwaysAs(sql`case kind when 'address' then '' else regexp_replace(name, '', 'Q', 'g') end`),
    succeeded: bigint({ mode: 'number' }).notNull(),
    failed: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.network_id, table.kind, table.name] })],
);

/** The amounts that are still to be subtracted from these counters, for dropped months. */
export const loginLogGone = pgTable('login_log_gone', {
  network_id: reference().notNull(),
  kind: text().notNull(),
  name: text().notNull(),
  succeeded: bigint({ mode: 'number' }).notNull(),
  failed: bigint({ mode: 'number' }).notNull(),
});

/**
 * The mails that were sent to people, without content and token. `network_id` is the network that caused the mail. `is_personal`: the mail is
 * about the account, not about its membership of the network; then `network_id` is the home network.
 */
export const personMails = pgTable('person_mails', {
  id: id(),
  network_id: reference().notNull(),
  email: text().notNull(),
  kind: text().$type<PersonMailKind>().notNull(),
  is_personal: boolean().notNull().default(false),
  /** `stored`: no mail server is configured, so the mail is in the outbox folder. */
  outcome: text({ enum: ['queued', 'sent', 'failed', 'stored'] }).notNull(),
  /** The token of its link. It may be deleted. */
  token_id: reference(),
  link_expires_at: moment(),
  link_used_at: moment(),
  /** When the link stopped working because of a later one, or of a new password. */
  link_ended_at: moment(),
  created_at: createdAt(),
});

/** Who changed what, written in the transaction of the change. */
export const auditRecords = pgTable('audit_records', {
  id: id(),
  network_id: reference(),
  actor_id: reference(),
  actor: text().notNull(),
  audit_type: text().notNull(),
  action: text().notNull(),
  description: text().notNull(),
  old_data: jsonb(),
  new_data: jsonb(),
  ip_address: inet(),
  /** The values that the console claimed. */
  claimed_user: text(),
  claimed_source: text(),
  created_at: createdAt(),
  /** The changed record, such as `site:12`; null for records without a version. */
  subject_key: text(),
  /** The record of the change that this one has undone. */
  reverts_id: reference(),
  /** The kind of object; the database derives it from the description. */
  object: text().$type<AuditObject>().notNull().generatedAlwaysAs(sql`description`),
});

/** The order of the audit records, and the MAC of each record and the MAC before it. */
export const auditChain = pgTable('audit_chain', {
  position: bigint({ mode: 'number' }).primaryKey(),
  record_id: reference().notNull(),
  mac: bytes().notNull(),
});

/** The audit records that are not in the chain yet. A trigger adds them. */
export const auditChainWaiting = pgTable('audit_chain_waiting', { record_id: reference().primaryKey() });

/** Uploaded images of a network; `kind` distinguishes the two libraries. */
export const images = pgTable('images', {
  id: id(),
  network_id: reference().notNull(),
  kind: text({ enum: ['image', 'icon'] }).notNull(),
  name: text().notNull(),
  /** The original name of the uploaded file. */
  file_name: text().notNull().default(''),
  media_type: text().notNull(),
  /** The size in bytes. */
  size: integer().notNull(),
  width: integer().notNull(),
  height: integer().notNull(),
  alt_text: text().notNull().default(''),
  title: text().notNull().default(''),
  caption: text().notNull().default(''),
  description: text().notNull().default(''),
  /** All its texts, one per line, for searching. */
  searched: text()
    .notNull()
    .generatedAlwaysAs(
      sql`title || E'\n' || alt_text || E'\n' || caption || E'\n' || description || E'\n' || file_name`,
    ),
  created_at: createdAt(),
});

// ── Trash ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A field of another row that a deletion has changed. It is restored if it still has the value that the deletion has given it. */
export type TrashLink = {
  table: 'sites' | 'network_settings' | 'users';
  column: string;
  /** The id of the row, which is the network's for its settings. */
  id: number;
  value: string | number;
  expected: string | number | null;
  /** What the field is called, such as 'logo of reports.org', if it is worth a sentence. */
  label?: string;
};

/** Deleted objects that can be restored. */
export const trash = pgTable('trash', {
  id: id(),
  network_id: reference().notNull(),
  kind: text({ enum: ['site', 'user', 'group', 'image'] }).notNull(),
  /** The id of the deleted row. */
  subject_id: reference().notNull(),
  label: text().notNull(),
  detail: text().notNull(),
  deleted_by: text().notNull(),
  deleted_at: moment().notNull().defaultNow(),
  expires_at: moment().notNull(),
  /** The size of an image, which counts for the quota. */
  bytes: bigint({ mode: 'number' }).notNull().default(0),
  audit_id: reference().notNull(),
  links: jsonb().$type<TrashLink[]>().notNull().default([]),
  notes: text().array().notNull().default(sql`'{}'`),
});

/** The deleted rows of an object as JSON. `sealed` is the encrypted column of a row. */
export const trashRows = pgTable('trash_rows', {
  id: id(),
  trash_id: reference().notNull(),
  table_name: text().notNull(),
  row: jsonb().$type<Record<string, unknown>>().notNull(),
  /** The name of the row that it refers to. */
  label: text(),
  /** The name of a stored file that belongs to the row. */
  file: text(),
  sealed: bytes(),
});

/** A single row that records what this installation has done exactly once. */
export const installation = pgTable('installation', {
  id: smallint().primaryKey(),
  first_owner_at: moment(),
  /** The console's own key as a service provider; encrypted. */
  console_private_key: bytes(),
  console_certificate: text(),
  /** Since when owners need a second factor: when the version with this rule was installed. */
  owner_mfa_since: moment().notNull().defaultNow(),
  /** The key of the HMAC that makes persistent NameIDs; encrypted. */
  name_id_key: bytes(),
  /** The key of the MACs that chain the audit records; encrypted. The first record that is chained creates it. */
  audit_key: bytes(),
});

/** A single row about the scheduled backups: the newest one, and the last attempt if it has failed. */
export const backupReports = pgTable('backup_reports', {
  id: smallint().primaryKey().default(1),
  made_at: moment(),
  file: text(),
  bytes: bigint({ mode: 'number' }),
  failed_at: moment(),
  failure: text(),
});

/** Where the servers that run keep images. */
export const mediaPlaces = pgTable('media_places', {
  place: text().primaryKey(),
  /** The place in words, for messages. */
  description: text().notNull(),
  /** Renewed by the servers that use the place. */
  last_used_at: moment().notNull().defaultNow(),
});

/** The keys that values in the database may be encrypted with. */
export const secretKeys = pgTable('secret_keys', {
  key_id: text().primaryKey(),
  /** Whether values without a key id, which versions before key ids have written, are encrypted with this key. */
  seals_format_1: boolean().notNull().default(false),
  /** Renewed by the servers that encrypt with this key; null if none has. */
  last_used_at: moment(),
  created_at: createdAt(),
});
