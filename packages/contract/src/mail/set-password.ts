/** The link that sets a password, as a template writes it. Its two parameters may stand in either order. */
export const setPasswordAddress = '{signup_from}/set-password?email={email}&token={token}';

/** The only link that carries a token, to the page that takes it. It is always built here, never from a template. */
export const setPasswordLink = (origin: string, { email, token }: { email: string; token: string }): string =>
  `${origin}/set-password?${new URLSearchParams({ email: email.toWellFormed(), token })}`;

const tag = (name: string): string => String.raw`(?:\{${name}\}|\{\{\s*${name}\s*\}\})`;
const email = `email=${tag('email')}`;
const token = `token=${tag('token')}`;
const fromTag = new RegExp(`^${tag('signup_from')}`);
const rest = new RegExp(`^/set-password\\?(?:${email}&${token}|${token}&${email})$`);

/**
 * Whether an address of a template is the link that sets a password. The address is compared as it is written: another
 * spelling, which a browser might normalise to the same path or to another one, does not count.
 */
export const isSetPasswordAddress = (address: string, origin: string): boolean => {
  const written = address.slice(0, origin.length);
  const start = written.toLowerCase() === origin ? written : fromTag.exec(address)?.[0];
  return start !== undefined && rest.test(address.slice(start.length));
};
