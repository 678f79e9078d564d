import { z } from 'zod';
import { Colour, emptyOr, Flag, HelpEmail, Hostname, Id, SsoUrl, Switch, WebUrl } from '../fields.ts';
import { separateThousands } from '../separate-thousands.ts';
import { basedOn, versioned } from '../versions.ts';
import { SiteRelease } from './sites.attributes.schemas.ts';
import { CertificateEnd, RecentSignIns } from './sites.health.schemas.ts';
import { SiteProtocol } from './sites.oidc.schemas.ts';
import { SiteMode, SiteStatus } from './sites.state.schemas.ts';
import { newTile, SiteIcon, SiteName } from './sites.tile.schemas.ts';

/** How people can sign in to a site, apart from email and password. */
export const LoginType = z.enum(['linkedin', 'google', 'facebook', 'github', 'twitter', 'opensocial', 'azure']);
export type LoginType = z.infer<typeof LoginType>;

const text = (length: number) =>
  z
    .string()
    .trim()
    .max(length, `At most ${separateThousands(length)} characters.`);

/** '#rrggbb' or an empty string. */
const OptionalColour = emptyOr(Colour);

/** Names of issuers from the configuration of the installation, comma-separated. */
const CustomAuthOptions = text(500).regex(
  /^[\w-]*(?:\s*,\s*[\w-]+)*$/,
  'Enter names of letters, digits and hyphens, separated by commas',
);

/** The icon of a site. `icon` is SVG markup; `icon_bg` is the name of a picture, an empty string means none. */
const plate = {
  icon: SiteIcon,
  icon_bg: z.string().max(100),
  icon_color: OptionalColour,
  icon_background: OptionalColour,
};

/** Images are given by name. */
const look = {
  ...plate,
  text_color: OptionalColour,
  text_background: OptionalColour,
  icon_width: z.int().min(16).max(256),
  icon_height: z.int().min(16).max(256),
  logo: z.string().max(100),
  background: z.string().max(100),
};

/** A row of the sites list; `domain` is the title of the site there. */
export const SiteRow = z.object({
  id: z.int(),
  name: z.string(),
  domain: z.string(),
  protocol: SiteProtocol,
  site_name: z.string(),
  site_mode: SiteMode,
  status: SiteStatus,
  ...plate,
  /** Login types, comma-separated. */
  auth_options: z.string(),
  /** Whether its metadata differs from its parameters, or cannot be read; empty if neither. */
  metadata_state: z.enum(['', 'changed', 'failed']),
  /** Since when the server cannot reach the site; null if it can, or does not check it. */
  unreachable_since: z.iso.datetime().nullable(),
  certificate_ends: CertificateEnd,
  recent_sign_ins: RecentSignIns,
});
export type SiteRow = z.infer<typeof SiteRow>;

/** The fields of the details form. */
const details = {
  site_name: SiteName,
  login_url: emptyOr(WebUrl),
  status: SiteStatus,
  site_mode: SiteMode,
  closed_message: text(1_000),
  message_title: text(200),
  message: text(4_000),
  domain_level_settings: z.enum(['yes', 'no']),
  terms_of_use: emptyOr(WebUrl),
  privacy_statement: emptyOr(WebUrl),
  help_email: HelpEmail,
  mfa: z.enum(['Enable', 'Disable']),
  auth_options: z.array(LoginType).max(LoginType.options.length),
  custom_auth_options: CustomAuthOptions,
  email_login: Switch,
  ...look,
};

export const Site = z.object({
  id: z.int(),
  name: z.string(),
  domain: z.string(),
  identity: z.string(),
  protocol: SiteProtocol,
  ...details,
  ...versioned,
});
export type Site = z.infer<typeof Site>;

/** The fields that administrators can change in the desktop editor: name, URL and tile of a site. */
export const SiteInfo = z.strictObject({
  id: Id,
  ...basedOn,
  site_name: details.site_name,
  login_url: z.string().trim().min(1, 'Site login url is required').pipe(WebUrl),
  icon_color: look.icon_color,
  icon_background: look.icon_background,
  text_color: look.text_color,
  text_background: look.text_background,
  icon_width: look.icon_width,
  icon: look.icon,
  icon_bg: look.icon_bg,
});
export type SiteInfo = z.input<typeof SiteInfo>;

/** These fields cannot be changed. Clients may send them unchanged; the server compares them. */
const fixed = Site.pick({ id: true, name: true, domain: true, identity: true, protocol: true }).partial();

/** §5: the email validator has its own text for an empty address. */
const requiredTexts = [
  ['terms_of_use', 'This filed is required'],
  ['privacy_statement', 'This filed is required'],
  ['help_email', 'This field is required'],
] as const;

/**
 * The full payload. Clients may send `groups` along, but `with_out_group` says that they stay unchanged: separate calls
 * add and remove them.
 */
export const SiteChanges = z
  .strictObject({
    ...details,
    ...fixed.shape,
    ...basedOn,
    groups: z
      .array(z.object({ id: Id, name: z.string().max(100).optional() }))
      .max(5_000)
      .optional(),
    with_out_group: z.literal('yes'),
  })
  .superRefine((site, context) => {
    if (site.domain_level_settings === 'yes') return;
    for (const [key, message] of requiredTexts)
      if (site[key] === '') context.addIssue({ code: 'custom', path: [key], message });
  });
export type SiteChanges = z.input<typeof SiteChanges>;

/** The entity id of a service provider: a URL, a URN or any other name without spaces. */
const Identity = z
  .string()
  .trim()
  .min(1)
  .max(1_024)
  .regex(/^[^\s\p{Cc}]+$/u, 'An identity must not contain spaces');

/** One or more certificates, as PEM or bare base64. If it is empty, messages of the site need no signature. */
const Certificate = z.string().trim().max(30_000);

/** Which elements of a SAML response are signed. */
export const SignedElements = z.enum(['both', 'assertion', 'response']);
export type SignedElements = z.infer<typeof SignedElements>;

const AcsIndex = z.int().min(0).max(65_535);

/** The assertion consumer services of a site besides the default one. Requests name them by their index or their address. */
const endpoints = {
  /** The index of the default one; null if it is not known. */
  acs_index: AcsIndex.nullable(),
  further_acs: z.array(z.strictObject({ index: AcsIndex, url: SsoUrl })).max(20),
};

/** How logout messages reach a site. `auto`: requests by redirect, responses by the binding of the site's request. */
export const LogoutBinding = z.enum(['auto', 'redirect', 'post', 'soap']);
export type LogoutBinding = z.infer<typeof LogoutBinding>;

const logout = {
  /** The binding of `sls`. */
  sls_binding: LogoutBinding,
  /** Where responses to logout requests go; empty if that is `sls`. */
  sls_response: emptyOr(SsoUrl),
  /** Where logout messages go from server to server; empty if the site has no such address besides `sls`. */
  sls_soap: emptyOr(SsoUrl),
};

/** How responses to a site are protected. */
const protection = {
  signs: SignedElements,
  /** Whether assertions are encrypted. */
  encrypts: Flag,
  /** The certificate that assertions are encrypted for, as PEM or bare base64. It must have an RSA key. */
  encryption_certificate: Certificate,
};

const parameters = {
  identity: Identity,
  acs: SsoUrl,
  /** Empty if the site does not support single logout. */
  sls: emptyOr(SsoUrl),
  domain: Hostname,
  update_url: emptyOr(SsoUrl),
  certificate: Certificate,
  /** Whether AuthnRequests must be signed too. LogoutRequests must always be signed if there is a certificate. */
  signed_requests: Flag,
  /** Where the metadata of the site is read again every day; empty if it is not. */
  metadata_url: emptyOr(SsoUrl),
};

/** The SSO parameters of a site. */
export const Subscriber = z.object({
  id: z.int(),
  sso_server: z.string(),
  ...parameters,
  ...logout,
  ...endpoints,
  ...protection,
  ...versioned,
});
export type Subscriber = z.infer<typeof Subscriber>;

export const SubscriberDraft = z.strictObject({
  ...parameters,
  update_url: parameters.update_url.default(''),
  certificate: Certificate.default(''),
  /** Absent: required if there is a certificate. */
  signed_requests: Flag.optional(),
  metadata_url: parameters.metadata_url.optional(),
  sso_server: z.string().max(63).optional(),
  ...z.object({ ...logout, ...endpoints, ...protection }).partial().shape,
});
export type SubscriberDraft = z.input<typeof SubscriberDraft>;

/** A new site gets the default attributes, unless `release` says otherwise. Later, `updateSiteAttributes` changes them. */
export const SiteDraft = SubscriberDraft.extend({ release: SiteRelease.optional(), ...newTile });
export type SiteDraft = z.input<typeof SiteDraft>;

/** Clients send identity and domain unchanged; the server compares them. */
export const SubscriberChanges = SubscriberDraft.extend({ id: Id, ...basedOn });
export type SubscriberChanges = z.input<typeof SubscriberChanges>;

/** The SSO parameters found in the metadata of a service provider; missing ones are empty strings. */
export const SubscriberMetadata = z.object({
  identity: z.string(),
  acs: z.string(),
  sls: z.string(),
  domain: z.string(),
  certificate: z.string(),
  signed_requests: Flag,
  sls_binding: LogoutBinding,
  sls_response: z.string(),
  sls_soap: z.string(),
  ...endpoints,
  ...protection,
  /** Whether the service provider asks for signed assertions, so that it refuses responses without one. */
  wants_assertions_signed: z.boolean(),
  /** The attributes that the service provider asks for, as far as we have them; null if it asks for none. */
  release: SiteRelease.nullable(),
  /** Sentences about what an administrator should know before adding the site. */
  warnings: z.array(z.string()),
});
export type SubscriberMetadata = z.infer<typeof SubscriberMetadata>;

/** A service provider in metadata that describes several. */
export const MetadataEntity = z.object({ entity_id: z.string(), name: z.string() });
export type MetadataEntity = z.infer<typeof MetadataEntity>;

/** The parameters, or the service providers to choose from if the metadata describes several and `entity_id` names none of them. */
export const MetadataAnswer = z.union([SubscriberMetadata, z.object({ entities: z.array(MetadataEntity) })]);
export type MetadataAnswer = z.infer<typeof MetadataAnswer>;

/** The service provider to read, if the metadata describes several. */
const entityChoice = { entity_id: z.string().max(1_024).optional() };

export const MetadataChoice = z.strictObject(entityChoice);

/** Metadata as XML or by URL, exactly one of the two. */
export const MetadataSource = z
  .strictObject({
    ...entityChoice,
    xml: z.string().max(1_000_000, 'Metadata has at most 1,000,000 characters.').optional(),
    url: emptyOr(SsoUrl).optional(),
  })
  .superRefine(({ xml = '', url = '' }, context) => {
    const given = [xml, url].filter((source) => source.trim() !== '').length;
    if (given === 1) return;
    context.addIssue({
      code: 'custom',
      message:
        given === 0
          ? 'Enter the metadata URL, paste the XML, or choose a file.'
          : 'Enter either the address or the XML of the metadata, not both. Clear one of the two fields.',
    });
  });
export type MetadataSource = z.input<typeof MetadataSource>;

/** The login types that a site would offer, comma-separated. */
export const LoginTypes = z.object({ auth_options: z.string().max(500), custom_auth_options: z.string().max(500) });
export type LoginTypes = z.input<typeof LoginTypes>;

/** The delivery state of the announcement of a mode change. */
export const ModeAnnouncement = z.object({
  state: z.enum(['none', 'waiting', 'delivered', 'given up']),
  mode: SiteMode.optional(),
  tries: z.int(),
  /** The result of the last attempt, as a sentence. */
  outcome: z.string(),
  last_try: z.iso.datetime().nullable(),
  next_try: z.iso.datetime().nullable(),
});
export type ModeAnnouncement = z.infer<typeof ModeAnnouncement>;

/** The names that `remove_site_logo_bg` uses for the parts of a site's look. */
export const SiteImageRemoval = z.enum(['remove_icon', 'remove_logo', 'remove_icon_bg', 'remove_bg']);
export type SiteImageRemoval = z.infer<typeof SiteImageRemoval>;
