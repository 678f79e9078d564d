import type { Mail } from './mailer.ts';
import { toUtcDay, toUtcTime } from './utc-dates.ts';

type Message = Omit<Mail, 'to'>;

const layout = (title: string, text: string, action: { label: string; href: string }, note: string): string =>
  `<!doctype html><html lang="en"><body style="margin:0;padding:32px 16px;background:#f7f9fb;font:15px/1.5 system-ui,sans-serif;color:#0b1220">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#fff;border:1px solid #dfe5ec;border-radius:16px">
<h1 style="margin:0 0 12px;font-size:22px">${title}</h1><p style="margin:0 0 24px">${text}</p>
<p style="margin:0 0 24px"><a href="${escapeHtml(action.href)}" style="display:inline-block;padding:12px 20px;border-radius:10px;background:#0f766e;color:#fff;text-decoration:none;font-weight:600">${action.label}</a></p>
<p style="margin:0;color:#56657c;font-size:13px">${note}</p></div></body></html>`;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');

const currentTime = () => toUtcTime(new Date());

type OwnerNotice = { title: string; event: string; by: string; action: { label: string; href: string } };

/** Tells owners about a change that gives or takes access. */
export const ownerNotice = ({ title, event, by, action }: OwnerNotice): Message => {
  const done = `This was done by ${by} on ${currentTime()}.`;
  const note = 'If this was not intended, undo the change and check the account that made it.';
  return {
    subject: title,
    text: [event, done, note, `${action.label}: ${action.href}`].join('\n\n'),
    html: layout(escapeHtml(title), `${escapeHtml(event)}<br><br>${escapeHtml(done)}`, action, note),
  };
};

/** To the person whose password was changed. */
export const passwordNotice = (publicUrl: string): Message =>
  personalNotice(
    'Your password was changed',
    `Your password was changed on ${currentTime()}. You are signed out on all other devices. An application that was open there may keep its own session until it ends.`,
    { label: 'Sign in', href: publicUrl },
    'If it was not you, ask for a new password on the sign-in page at once, and tell your administrator.',
  );

/**
 * To a person who signed in from a new browser. Only members see the domain of the site, because its network chooses
 * the name.
 */
export const deviceNotice = (
  publicUrl: string,
  where: { address: string; browser: string; domain: string | undefined },
): Message =>
  personalNotice(
    'A sign-in from a new device',
    `Your account was used on ${currentTime()} to sign in to ${where.domain ?? 'an application'}, from the address ${where.address} with ${where.browser}.`,
    { label: 'Review your sessions', href: `${publicUrl}/profile` },
    'If it was not you, change your password. This signs out all other devices.',
  );

/** To an owner who tries whether the mail server works. */
export const testNotice = (publicUrl: string): Message =>
  personalNotice(
    'Your mail server works',
    `This email was sent on ${currentTime()} to test the mail server of ${new URL(publicUrl).host}.`,
    { label: 'Open the console', href: publicUrl },
    'You get it because you asked for a test email.',
  );

/** To the owners of the main network when the first of several scheduled backups has failed. */
export const backupNotice = (publicUrl: string, failure: string): Message =>
  personalNotice(
    'A backup has failed',
    `The scheduled backup of ${new URL(publicUrl).host} failed on ${currentTime()}. ${failure}`,
    { label: 'Open the console', href: publicUrl },
    'The server tries again every hour. You get this message only once until a backup succeeds.',
  );

/** To the person whose second factor was changed. */
export const mfaNotice = (publicUrl: string, event: string): Message =>
  personalNotice(
    'Your second factor was changed',
    `${event} This happened on ${currentTime()}.`,
    { label: 'Review your profile', href: `${publicUrl}/profile` },
    'If it was not you, change your password at once, and tell your administrator.',
  );

/** To a person whose sessions an administrator of their network has ended. */
export const signedOutNotice = (publicUrl: string, network: string, everywhere: boolean): Message =>
  personalNotice(
    'You were signed out by an administrator',
    `An administrator of ${network} ended your sessions ${everywhere ? 'everywhere' : `at the applications of ${network}`} on ${currentTime()}. An application that is open may keep its own session until it ends.`,
    { label: 'Sign in', href: publicUrl },
    'If you did not expect this, ask the administrator why.',
  );

/** To a person whose second factors an administrator of their network has removed. */
export const factorsResetNotice = (publicUrl: string, network: string): Message =>
  personalNotice(
    'Your second factor was reset',
    `An administrator of ${network} removed the second factors and passkeys of your account on ${currentTime()}, and signed you out everywhere. Until you set up a new one, your password alone protects your account.`,
    { label: 'Set up a second factor', href: `${publicUrl}/profile` },
    'If you did not ask for this, change your password at once and tell another administrator.',
  );

/** To an owner whose account the operator has recovered. The operator hands over the link. */
export const recoveryNotice = (publicUrl: string): Message =>
  personalNotice(
    'Your account is being recovered',
    `The operator of this service created a link for a new password for your account on ${currentTime()}. Your password, second factors and passkeys were removed, and you were signed out everywhere. You get the link from the operator.`,
    { label: 'Open the sign-in page', href: publicUrl },
    'If you did not ask for this, tell the operator and the other owners at once.',
  );

/** To a person whom an administrator of their network has sent a link for a new password. It works for an hour. */
export const resetByOwnerNotice = (network: string, link: string): Message =>
  personalNotice(
    'Set a new password',
    `An administrator of ${network} sent you this link, with which you can set a new password. It works once, within an hour. Your current password works until you set a new one.`,
    { label: 'Set a new password', href: link },
    'The administrator cannot see the link or your password. If you did not ask for it, you can ignore this email.',
  );

/** To a person whose account, or whose access to one network, an administrator has switched off or on. */
export const accessNotice = (publicUrl: string, network: string, isOn: boolean, isWhole: boolean): Message => {
  const subject = isWhole ? 'Your account' : `Your access to ${network}`;
  const what = isWhole ? 'your account' : `your access to the applications of ${network}`;
  return isOn
    ? personalNotice(
        `${subject} is active again`,
        `An administrator of ${network} enabled ${what} on ${currentTime()}. You can sign in again.`,
        { label: 'Sign in', href: publicUrl },
        'You do not have to do anything.',
      )
    : personalNotice(
        `${subject} was disabled`,
        `An administrator of ${network} disabled ${what} on ${currentTime()}, and signed you out.`,
        { label: 'Open the sign-in page', href: publicUrl },
        'If you did not expect this, ask the administrator why.',
      );
};

/** To a person whose account was locked after failed attempts. */
export const unlockedNotice = (publicUrl: string, network: string): Message =>
  personalNotice(
    'Your account was unlocked',
    `Your account was locked after too many failed attempts. An administrator of ${network} unlocked it on ${currentTime()}.`,
    { label: 'Sign in', href: publicUrl },
    'If the failed attempts were not yours, somebody may be guessing your password. Tell the administrator.',
  );

/** The code that confirms turning on email codes: it proves that mail to this address arrives. */
export const confirmationCodeNotice = (publicUrl: string, code: string): Message =>
  personalNotice(
    'Your code to switch on email codes',
    `Enter the code ${code} on your profile page. From then on a code is sent to this address when you sign in. The code works once, within ten minutes.`,
    { label: 'Open your profile', href: `${publicUrl}/profile` },
    'If it was not you, somebody is signed in to your account: change your password at once, and tell your administrator.',
  );

/** To the person whose passkey was added or removed. */
export const passkeyNotice = (publicUrl: string, name: string, event: 'added' | 'removed'): Message =>
  personalNotice(
    `A passkey was ${event}`,
    event === 'added'
      ? `The passkey '${name}' was added to your account on ${currentTime()}. A person who has this passkey can sign in as you from now on.`
      : `The passkey '${name}' of your account was removed on ${currentTime()}. You are signed out on all other devices.`,
    { label: 'Review your passkeys', href: `${publicUrl}/profile` },
    'If it was not you, remove the passkeys that you do not recognise, change your password at once, and tell your administrator.',
  );

/**
 * To the owners of a network that uses a template which cannot be sent. It does not reveal whether any mail was sent.
 */
export const templateNotice = (
  publicUrl: string,
  network: string,
  { title, fault }: { title: string; fault: string },
): Message =>
  personalNotice(
    `An email template of ${network} cannot be sent`,
    `Emails of ${network} use the default text instead of the template '${title}', because this template cannot be sent. ${fault}`,
    {
      label: 'Open the email templates',
      href: `${publicUrl}/sso-servers/${encodeURIComponent(network)}/email-templates`,
    },
    'The default text is used until the template is corrected and saved. You get this message only once.',
  );

/** A certificate that expires: of a site, or otherwise of a signing key of the network. */
type EndingCertificate = {
  site?: { domain: string; use: 'signing' | 'encryption' };
  fingerprint: string;
  notAfter: Date;
};

const describeSubject = (site: EndingCertificate['site']): string => {
  if (!site) return 'A signing key of this network';
  return site.use === 'signing'
    ? `The certificate of ${site.domain}`
    : `The certificate for encryption of ${site.domain}`;
};

const describeEnd = ({ site, fingerprint, notAfter }: EndingCertificate, now: Date): string => {
  const days = Math.ceil((notAfter.getTime() - now.getTime()) / 86_400_000);
  const date = toUtcDay(notAfter);
  const end = days <= 0 ? `expired on ${date}` : `expires in ${days === 1 ? '1 day' : `${days} days`}, on ${date}`;
  const step = site
    ? 'Ask the administrator of the application for the new certificate and enter it in its SSO parameters.'
    : 'Create the next key and switch the sites to it.';
  return `${describeSubject(site)} ${end} (SHA-256 ${fingerprint}). ${step}`;
};

const maximumListed = 50;

/** To the owners of a network whose signing key, or a site's certificate, expires soon. */
export const expiryNotice = (
  publicUrl: string,
  network: string,
  certificates: readonly EndingCertificate[],
  now: Date,
): Message => {
  const title = certificates.length === 1 ? `A certificate of ${network} expires` : `Certificates of ${network} expire`;
  const listed = certificates.slice(0, maximumListed).map((certificate) => describeEnd(certificate, now));
  const others = certificates.length - listed.length;
  const lines = others > 0 ? [...listed, `And ${others} more.`] : listed;
  const action = { label: 'See keys and certificates', href: `${publicUrl}/sso-servers/${network}/settings` };
  const note = 'Some applications refuse an expired certificate. People could no longer sign in to them.';
  return {
    subject: title,
    text: [...lines, note, `${action.label}: ${action.href}`].join('\n\n'),
    html: layout(escapeHtml(title), lines.map(escapeHtml).join('<br><br>'), action, note),
  };
};

/** What owners should know about the metadata of a site. Its values come from another server. */
export type MetadataNews = { site_id: number; domain: string } & (
  | { kind: 'differences'; differences: readonly { title: string; before: string; after: string }[] }
  | { kind: 'failure'; failingSince: Date; reason: string }
  | { kind: 'expiry'; validUntil: Date }
);

const maximumValue = 160;

/** A value from metadata. It can neither break the line nor turn the direction of the rest, and does not fill the mail. */
const quoteValue = (value: string): string => {
  const line = value.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim();
  if (line === '') return 'none';
  return line.length > maximumValue ? `${line.slice(0, maximumValue)}…` : line;
};

const describeNews = (news: MetadataNews): string[] => {
  if (news.kind === 'expiry')
    return [
      `The metadata of ${news.domain} expired on ${toUtcDay(news.validUntil)}.`,
      'Ask the administrator of the application for current metadata.',
    ];
  if (news.kind === 'failure')
    return [
      `The metadata of ${news.domain} could not be read since ${toUtcDay(news.failingSince)}. ${quoteValue(news.reason)}`,
      'Correct the address in the SSO parameters of the site, or clear it.',
    ];
  return [
    `The metadata of ${news.domain} has changed:`,
    ...news.differences.map(
      ({ title, before, after }) => `${title}: ${quoteValue(after)} (stored here: ${quoteValue(before)})`,
    ),
    'Ask the administrator of the application whether this is right, and apply it in the panel of the site.',
  ];
};

/** To the owners of a network with sites whose metadata has changed, cannot be read or has expired. */
export const metadataNotice = (publicUrl: string, network: string, news: readonly MetadataNews[]): Message => {
  const [first] = news;
  const sites = `${publicUrl}/sso-servers/${network}/sites`;
  const linkOf = ({ domain, site_id }: MetadataNews) => `${sites}/${encodeURIComponent(domain)}/${site_id}/metadata`;
  const title =
    new Set(news.map(({ site_id }) => site_id)).size === 1
      ? `The metadata of ${first?.domain} needs your attention`
      : `The metadata of sites of ${network} needs your attention`;
  const listed = news.slice(0, maximumListed);
  const others = news.length > listed.length ? [`And ${news.length - listed.length} more.`] : [];
  const note =
    'Nothing was changed. If a site has changed and its parameters here have not, people may not be able to sign in to it.';
  const texts = listed.map((each) => [...describeNews(each), `See the site: ${linkOf(each)}`].join('\n'));
  const markup = listed.map(
    (each) =>
      `${describeNews(each).map(escapeHtml).join('<br>')}<br><a href="${escapeHtml(linkOf(each))}">See the site</a>`,
  );
  const action = { label: 'See the sites', href: sites };
  return {
    subject: title,
    text: [...texts, ...others, note, `${action.label}: ${action.href}`].join('\n\n'),
    html: layout(escapeHtml(title), [...markup, ...others].join('<br><br>'), action, note),
  };
};

/** To a person who requests an account but already has one. */
export const accountNotice = (publicUrl: string): Message =>
  personalNotice(
    'You already have an account',
    'Somebody, most likely you, asked for an account with this address. You already have one: sign in with it, or ask for a new password on the sign-in page. If the application belongs to a network that you have not joined yet, accept its invitation on your profile.',
    { label: 'See your profile', href: `${publicUrl}/profile` },
    'If it was not you, you can ignore this email: nothing changes without your consent.',
  );

const personalNotice = (
  title: string,
  text: string,
  action: { label: string; href: string },
  note: string,
): Message => ({
  subject: title,
  text: [text, `${action.label}: ${action.href}`, note].join('\n\n'),
  html: layout(escapeHtml(title), escapeHtml(text), action, note),
});

/** To a person whose account was linked to another provider. */
export const socialNotice = (publicUrl: string, provider: string): Message =>
  personalNotice(
    `${provider} was linked to your account`,
    `Your account was linked to ${provider} on ${currentTime()}. A person who is signed in to that ${provider} account can sign in as you from now on.`,
    { label: 'Review your profile', href: `${publicUrl}/profile` },
    'If it was not you, unlink it on your profile at once, and check your email account.',
  );

/** To a person whose account was unlinked from another provider. */
export const unlinkedNotice = (publicUrl: string, provider: string): Message =>
  personalNotice(
    `${provider} was unlinked from your account`,
    `Your account was unlinked from ${provider} on ${currentTime()}. You are signed out on all other devices.`,
    { label: 'Review your profile', href: `${publicUrl}/profile` },
    'If it was not you, change your password at once, and tell your administrator.',
  );
