import { z } from 'zod';

/** Row ids, which are also the `lastid` cursors of lists. */
export const Id = z.coerce.number<number | string>().int().min(1).max(Number.MAX_SAFE_INTEGER);

/** Emails are compared case-insensitively everywhere, so they are converted to lower case on input. */
export const Email = z.string().trim().toLowerCase().max(254).email();

const invalidEmail = 'This field must be a valid email';

/** The address of the 'Need Help?' link, or an empty string. §5 fixes the error texts. */
export const HelpEmail = z.union([
  z.literal(''),
  z.string().trim().toLowerCase().max(254, invalidEmail).email(invalidEmail),
]);

export const Flag = z.enum(['Yes', 'No']);

export const Colour = z.string().regex(/^#[0-9a-f]{6}$/i, 'Enter a colour as #rrggbb');

/** A web address that a browser is sent to. */
export const WebUrl = z
  .url({ protocol: /^https?$/, error: 'Enter an address that begins with https:// or http://' })
  .max(2_000, 'Enter at most 2,000 characters.')
  .refine(hasNoUserinfo, 'An address must not contain a user name');

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** A URL that takes part in single sign-on: https, or http on a loopback address. */
export const SsoUrl = z
  .string()
  .trim()
  .max(2_000)
  .refine(isSsoUrl, 'An https:// address without user name and fragment; http:// only on this machine');

function hasNoUserinfo(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && url.username === '' && url.password === '';
}

function isSsoUrl(value: string): boolean {
  const url = URL.parse(value);
  if (!url || /[#*]/.test(value) || !hasNoUserinfo(value)) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopbackHosts.has(url.hostname));
}

/** A fully qualified domain name, with an optional port. */
export const Hostname = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(
    /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?$/,
    'Enter a domain such as reports.example.org',
  );

/** An empty string, or a value of the schema. */
export const emptyOr = <S extends z.ZodType<string, string>>(schema: S) => z.union([z.literal(''), schema]);

/** Output is 1 or false; other common spellings are accepted as input. */
export const Switch = z
  .union([z.literal([1, 0, '1', '0']), z.boolean()])
  .transform((value): 1 | false => (value === true || Number(value) === 1 ? 1 : false));

/** The first and the last day, as YYYY-MM-DD, separated by a comma. */
export const DateRange = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2},\d{4}-\d{2}-\d{2}$/, 'Two dates as YYYY-MM-DD, joined by a comma')
  .refine((range) => range.split(',').every((day) => z.iso.date().safeParse(day).success), 'This day does not exist');

/** A day, YYYY-MM-DD. */
export const Day = z.iso.date('Enter a day as YYYY-MM-DD');

export const unknownZone = 'This time zone does not exist';

/**
 * The name of a time zone, such as Europe/Berlin, as browsers report it. Offsets and abbreviations are refused:
 * PostgreSQL reads the sign of an offset the other way round, and interprets some abbreviations differently.
 */
export const TimeZone = z
  .string()
  .max(64)
  .regex(/^(?:UTC|GMT|[A-Za-z_]+(?:\/[A-Za-z0-9_+-]+){1,2})$/, unknownZone)
  .refine(isTimeZone, unknownZone);

/** The time zone in which the days of a filter begin and end. Without it they are days in UTC. */
export const InZone = z.object({ zone: TimeZone.optional() });

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).format(0) !== '';
  } catch {
    return false;
  }
}

/** A body that is sent as it is, or under the key `data`. */
export const wrapped = <S extends z.ZodType>(schema: S) =>
  // The type of the input is that of the schema, because our own callers send the body as it is.
  z.preprocess((body: z.input<S>): unknown => (isWrapped(body) ? body.data : body), schema);

const isWrapped = (body: unknown): body is { data: unknown } =>
  typeof body === 'object' && body !== null && Object.keys(body).join() === 'data';

/** The answer of a call that returns only a confirmation. */
export const Done = z.object({ message: z.string() });

/** The answer of a call that deletes something: its entry in the trash, or null if nothing is kept there. */
export const Removed = Done.extend({ trash_id: z.int().nullable() });
export type Removed = z.infer<typeof Removed>;

/** Words that have a meaning in paths, so that a network with such a name could not be addressed. */
const reservedNames = new Set(
  'all filter image login logout mode new search server site sites start time user'.split(' '),
);

export const NetworkName = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/, 'Enter 2 to 63 lower-case letters, digits and hyphens')
  .refine((name) => !reservedNames.has(name), 'This name is reserved; choose another');

/** A network name in a path is only looked up. A malformed name gets the same answer as an unknown network. */
export const NamedNetwork = z.string().min(1).max(63);

/** The maximum length of a password: more characters than anybody types, and still cheap to hash. */
export const maximumPasswordLength = 1_024;

export const Password = z.string().min(1).max(maximumPasswordLength);

/**
 * The email address of the user a call is about. It is only compared, so a malformed one gets the same answer as
 * another user's.
 */
export const NamedUser = z.string().min(1).max(254);

/** A moment, such as '2026-11-18T10:00:00Z'. */
export const Moment = z.iso.datetime();
