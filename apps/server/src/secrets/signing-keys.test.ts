import { createSign, createVerify, X509Certificate } from 'node:crypto';
import { SigningAlgorithm } from '@opensocial/contract';
import { expect, test } from 'vitest';
import { createVault } from './encryption.ts';
import { createKeyring } from './keyring.ts';
import { describeCertificate, makeSigningKey, openSigningKey } from './signing-keys.ts';

const details = {
  'rsa-2048': { modulusLength: 2048, publicExponent: 65_537n },
  'rsa-3072': { modulusLength: 3072, publicExponent: 65_537n },
  'rsa-4096': { modulusLength: 4096, publicExponent: 65_537n },
  'ec-p256': { namedCurve: 'prime256v1' },
};

test.for(SigningAlgorithm.options)('a key %s has a self-signed certificate for two years', async (algorithm) => {
  const made = await makeSigningKey('northlab', algorithm);
  const certificate = new X509Certificate(Buffer.from(made.certificate, 'base64'));
  const privateKey = openSigningKey(made.privateKey);
  expect(privateKey.asymmetricKeyDetails).toMatchObject(details[algorithm]);
  expect(certificate.checkPrivateKey(privateKey)).toBe(true);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.subject).toContain('CN=northlab');
  expect(certificate.validFromDate.getTime()).toBeLessThan(Date.now());
  const days = (certificate.validToDate.getTime() - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(729);
  expect(days).toBeLessThanOrEqual(730);
  expect(describeCertificate(made.certificate).notAfter).toEqual(certificate.validToDate);
  expect(Math.abs(made.notAfter.getTime() - certificate.validToDate.getTime())).toBeLessThan(1_000);
});

test('a keyring decrypts a stored key once, and signs with it', async () => {
  const vault = createVault(['a secret key that only tests use']);
  const { privateKey, certificate } = await makeSigningKey('northlab');
  const stored = { id: 1, private_key: vault.encrypt(privateKey), certificate };
  const keyring = createKeyring(vault);
  const key = keyring(stored);
  expect(keyring({ ...stored })).toBe(key);
  const signature = createSign('sha256').update('text').sign(key.privateKey);
  const { publicKey } = new X509Certificate(Buffer.from(certificate, 'base64'));
  expect(createVerify('sha256').update('text').verify(publicKey, signature)).toBe(true);
  const tampered = Buffer.from(stored.private_key);
  tampered[40] = (tampered[40] ?? 0) ^ 1;
  expect(() => keyring({ ...stored, id: 2, private_key: tampered })).toThrow();
});
