/** The link that sets a password, as templates write it. The two parameters may be in either order. */
export const setPasswordAddress = '{signup_from}/set-password?email={email}&token={token}';

/** The only link that contains a token. It is always built here, never from a template. */
export const setPasswordLink = (origin: string, { email, token }: { email: string; token: string }): string =>
  `${origin}/set-password?${new URLSearchParams({ email: email.toWellFormed(), token })}`;

const tag = (name: string): string => String.raw`(?:\{${name}\}|\{\{\s*${name}\s*\}\})`;
const email = `email=${tag('email')}`;
const token = `token=${tag('token')}`;
const fromTag = new RegExp(`^${tag('signup_from')}`);
const rest = new RegExp(`^/set-password\\?(?:${email}&${token}|${token}&${email})$`);

/**
 * Whether an address in a template is the link that sets a password. The spelling must match exactly: a browser might
 * normalise a different spelling to the same path or to another one.
 */
export const isSetPasswordAddress = (address: string, origin: string): boolean => {
  const written = address.slice(0, origin.length);
  const start = written.toLowerCase() === origin ? written : fromTag.exec(address)?.[0];
  return start !== undefined && rest.test(address.slice(start.length));
};
