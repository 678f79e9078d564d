import { expect, test } from 'vitest';
import {
  accessNotice,
  deviceNotice,
  expiryNotice,
  factorsResetNotice,
  metadataNotice,
  mfaNotice,
  ownerNotice,
  passkeyNotice,
  passwordNotice,
  signedOutNotice,
  socialNotice,
  testNotice,
  unlinkedNotice,
  unlockedNotice,
} from './notices.ts';

const address = 'https://id.northlab.example';
const now = new Date('2026-11-19T23:30:00Z');
const site = { site_id: 5, domain: 'lab.org' };

test.each([
  ownerNotice({ title: 'An owner was added', event: 'Added.', by: 'ana', action: { label: 'See', href: address } }),
  passwordNotice(address),
  deviceNotice(address, { address: '10.0.0.1', browser: 'Firefox', domain: 'lab.org' }),
  testNotice(address),
  mfaNotice(address, 'A factor was added.'),
  signedOutNotice(address, 'northlab', true),
  factorsResetNotice(address, 'northlab'),
  accessNotice(address, 'northlab', true, true),
  accessNotice(address, 'northlab', false, false),
  unlockedNotice(address, 'northlab'),
  passkeyNotice(address, 'Key', 'added'),
  passkeyNotice(address, 'Key', 'removed'),
  socialNotice(address, 'GitHub'),
  unlinkedNotice(address, 'GitHub'),
  expiryNotice(address, 'northlab', [{ fingerprint: 'AB:CD', notAfter: new Date('2026-12-19T23:30:00Z') }], now),
  expiryNotice(address, 'northlab', [{ fingerprint: 'AB:CD', notAfter: new Date('2026-11-18T23:30:00Z') }], now),
  metadataNotice(address, 'northlab', [{ ...site, kind: 'expiry', validUntil: now }]),
  metadataNotice(address, 'northlab', [{ ...site, kind: 'failure', failingSince: now, reason: 'No answer.' }]),
])('§4 mails: every date names its time zone: $subject', ({ text, html }) => {
  for (const body of [text, html]) {
    const dates = [...body.matchAll(/\d{1,2} \w+ 20\d\d( at \d\d:\d\d)?(.{4})/g)];
    expect(dates).not.toEqual([]);
    expect(dates.map(([, , after]) => after)).toEqual(dates.map(() => ' UTC'));
  }
});
