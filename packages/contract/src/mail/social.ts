/** The social networks that a mail can link to. White text is readable on the colours; mails load no icons. */
export const socialNetworks = {
  linkedin: {
    name: 'LinkedIn',
    colour: '#0a66c2',
    hosts: ['linkedin.com'],
    example: 'https://www.linkedin.com/company/name',
  },
  x: { name: 'X', colour: '#3b4350', hosts: ['x.com', 'twitter.com'], example: 'https://x.com/name' },
  facebook: { name: 'Facebook', colour: '#1464d2', hosts: ['facebook.com'], example: 'https://www.facebook.com/name' },
  instagram: {
    name: 'Instagram',
    colour: '#b92b78',
    hosts: ['instagram.com'],
    example: 'https://www.instagram.com/name',
  },
  youtube: {
    name: 'YouTube',
    colour: '#c2231a',
    hosts: ['youtube.com', 'youtu.be'],
    example: 'https://www.youtube.com/@name',
  },
  github: { name: 'GitHub', colour: '#46505c', hosts: ['github.com'], example: 'https://github.com/name' },
  mastodon: { name: 'Mastodon', colour: '#563acc', hosts: [], example: 'https://mastodon.social/@name' },
  bluesky: { name: 'Bluesky', colour: '#0a5fcc', hosts: ['bsky.app'], example: 'https://bsky.app/profile/name' },
  website: { name: 'Website', colour: '#0f766e', hosts: [], example: 'https://www.example.org' },
} as const satisfies Record<string, { name: string; colour: string; hosts: readonly string[]; example: string }>;

export type SocialNetwork = keyof typeof socialNetworks;
export type SocialLink = { network: SocialNetwork; url: string };

const isSocialNetwork = (value: unknown): value is SocialNetwork =>
  typeof value === 'string' && Object.hasOwn(socialNetworks, value);

/** The maximum number of social links: more do not fit in a mail. */
export const maximumSocialLinks = 10;

/** The social links of a design. A design may have been written by hand, so everything else in the list is left out. */
export const socialLinksOf = (value: unknown): SocialLink[] =>
  (Array.isArray(value) ? value : []).slice(0, maximumSocialLinks).flatMap((link: unknown) => {
    const { network, url } = (typeof link === 'object' && link !== null ? link : {}) as Partial<SocialLink>;
    return isSocialNetwork(network) && typeof url === 'string' ? [{ network, url }] : [];
  });

/** Returns an https address without user name, port or tag in normalised form, or undefined. */
export const socialAddress = (url: string): string | undefined => {
  const text = url.trim();
  if (!/^https:\/\/[^\s\\{}@/?#<>"']+(?:[/?#][^\s\\{}<>"']*)?$/i.test(text)) return undefined;
  const parsed = URL.parse(text);
  return parsed?.protocol === 'https:' && parsed.port === '' && parsed.hostname.includes('.') ? parsed.href : undefined;
};

/** The editor's hint about a social link, or undefined. A link without an https address is left out of the mail. */
export const socialFault = ({ network, url }: SocialLink): string | undefined => {
  if (url.trim() === '') return 'Add an address, otherwise this link is left out of the email';
  const address = socialAddress(url);
  if (address === undefined) return 'The address must begin with https:// and name a page, without tags';
  const { name, hosts } = socialNetworks[network];
  const { hostname } = new URL(address);
  const isOn = (host: string) => hostname === host || hostname.endsWith(`.${host}`);
  return hosts.length > 0 && !hosts.some(isOn) ? `This address is not on ${name} (${hosts.join(', ')})` : undefined;
};
