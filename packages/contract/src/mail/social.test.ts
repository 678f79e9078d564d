import { expect, test } from 'vitest';
import { isReadableOn } from './colours.ts';
import { socialAddress, socialFault, socialLinksOf, socialNetworks } from './social.ts';

test('§2.11 mail: white is readable on the badge of every network, and each example belongs to its network', () => {
  for (const [network, { colour, example }] of Object.entries(socialNetworks)) {
    expect(isReadableOn('#ffffff', colour), network).toBe(true);
    expect(socialFault({ network: network as keyof typeof socialNetworks, url: example })).toBeUndefined();
  }
});

test.for([
  ['https://x.com/name', 'https://x.com/name'],
  [' https://mastodon.social/@name ', 'https://mastodon.social/@name'],
  ['https://www.example.org/?a=1&b=2#c', 'https://www.example.org/?a=1&b=2#c'],
  ['http://x.com/name', undefined],
  ['x.com/name', undefined],
  ['//x.com/name', undefined],
  ['https://user@x.com/', undefined],
  ['https://x.com\\@evil.example/', undefined],
  ['https://x.com:8443/', undefined],
  ['https://localhost/', undefined],
  ['https://x.com/{token}', undefined],
  ['https://{site}/', undefined],
  ['https://x.com/"><script>', undefined],
  ['https://x.com/ y', undefined],
  ['javascript:alert(1)', undefined],
  ['', undefined],
] as const)('security: the social address %j is %j', ([url, address]) => expect(socialAddress(url)).toBe(address));

test.for([
  [{ network: 'linkedin', url: '' }, 'left out'],
  [{ network: 'linkedin', url: 'http://linkedin.com/x' }, 'https://'],
  [{ network: 'linkedin', url: 'https://linkedin.com.evil.example/x' }, 'not on LinkedIn'],
  [{ network: 'website', url: 'https://any.example/x' }, undefined],
] as const)('§2.11 mail: %j gets the hint %j', ([link, words]) => {
  const fault = socialFault(link);
  expect(fault?.includes(words ?? '')).toBe(words === undefined ? undefined : true);
});

test('security: anything other than a link in a hand-written list of social links is left out', () => {
  const link = { network: 'x', url: 'https://x.com/name' };
  const odd = [null, 'x', 3, [], {}, { network: 'x' }, { network: '__proto__', url: '' }, { network: 'x', url: 3 }];
  expect(socialLinksOf([...odd, { ...link, evil: 'x' }])).toEqual([link]);
  expect(socialLinksOf(Array.from({ length: 50 }, () => link))).toHaveLength(10);
  for (const value of [undefined, null, 'x', { length: 3 }]) expect(socialLinksOf(value)).toEqual([]);
});
