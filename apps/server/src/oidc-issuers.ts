/** An OpenID Connect issuer of the installation, for sites of any network that name it. */
export type OidcIssuer = {
  /** In lower case, as in URLs. */
  name: string;
  /** As it is spelled in the configuration. */
  label: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
};

/** Names that already have a meaning among the login types of a site. */
const reservedNames = ['linkedin', 'google', 'facebook', 'github', 'twitter', 'opensocial', 'callback'];

/** Parses name=issuer|client-id|client-secret, separated by spaces. A fault is a sentence without its subject. */
export const readOidcIssuers = (text: string): OidcIssuer[] | { fault: string } => {
  const read: OidcIssuer[] = [];
  for (const [place, entry] of text.split(/\s+/).filter(Boolean).entries()) {
    const issuer = readEntry(entry);
    const fault = typeof issuer === 'string' ? issuer : faultAmong(read, issuer);
    if (fault !== undefined) return { fault: `must have ${fault} (entry ${place + 1})` };
    read.push(issuer as OidcIssuer);
  }
  return read;
};

const readEntry = (entry: string): OidcIssuer | string => {
  const [, label = '', rest = ''] = /^([^=]*)=(.*)$/.exec(entry) ?? [];
  const [issuer = '', ...keys] = rest.split('|');
  if (keys.length !== 2 || keys.includes(''))
    return 'entries like name=https://issuer|client-id|client-secret, separated by spaces';
  if (!/^[\w-]{1,40}$/.test(label)) return 'names of letters, digits, hyphens and underscores';
  if (!isIssuer(issuer)) return 'an http or https address without user name, query and fragment as each issuer';
  try {
    const [clientId = '', clientSecret = ''] = keys.map(decodeURIComponent);
    return { name: label.toLowerCase(), label, issuer, clientId, clientSecret };
  } catch {
    return 'client IDs and secrets that are percent-encoded';
  }
};

const isIssuer = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password && !/[?#]/.test(text);
};

const faultAmong = (read: readonly OidcIssuer[], { name }: OidcIssuer): string | undefined => {
  if (reservedNames.includes(name)) return `other names than ${new Intl.ListFormat('en').format(reservedNames)}`;
  return read.some((other) => other.name === name) ? 'each name once' : undefined;
};
