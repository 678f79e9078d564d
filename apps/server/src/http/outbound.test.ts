import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callOutbound, isPublicAddress } from './outbound.ts';

let connections = 0;
const canary = createServer((_request, response) => response.end('reached'));
canary.on('connection', () => {
  connections += 1;
});
let port = 0;
beforeAll(async () => {
  await new Promise<void>((ready) => void canary.listen(0, '127.0.0.1', ready));
  ({ port } = canary.address() as AddressInfo);
});
afterAll(() => canary.close());

describe('a URL that a person has entered', () => {
  test.each([
    'https://127.0.0.1',
    'https://127.1',
    'https://2130706433',
    'https://0x7f000001',
    'https://0177.0.0.1',
    'https://0.0.0.0',
    'https://0',
    'https://localhost',
    'https://LOCALHOST',
    'https://localhost.',
    'https://[::1]',
    'https://[::]',
    'https://[::ffff:127.0.0.1]',
    'https://[::ffff:7f00:1]',
    'https://[64:ff9b::7f00:1]',
    'https://[fe80::1]',
    'https://[fc00::1]',
    'https://[2002:7f00:1::]',
    'https://10.0.0.1',
    'https://172.16.0.1',
    'https://192.168.0.1',
    'https://100.64.0.1',
    'https://169.254.169.254',
    'https://user@127.0.0.1',
    'http://127.0.0.1',
    'http://example.org',
  ])('%s is never requested', async (origin) => {
    const url = new URL(origin);
    url.port = String(port);
    await expect(callOutbound({ url: url.href, allowsPrivate: false })).rejects.toThrow(
      /private network|https|user|not known|resolved/,
    );
    expect(connections).toBe(0);
  });

  test('in a private network is requested if that is allowed', async () => {
    const answer = await callOutbound({ url: `http://127.0.0.1:${port}`, allowsPrivate: true });
    expect(answer.body.toString()).toBe('reached');
  });

  test('of the public internet is public', () => {
    for (const address of ['1.1.1.1', '93.184.216.34', '2606:4700::1111']) expect(isPublicAddress(address)).toBe(true);
    for (const address of ['', 'example.org', '127.0.0.1 ', '256.1.1.1']) expect(isPublicAddress(address)).toBe(false);
  });
});
