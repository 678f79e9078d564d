import { createSign, createVerify, X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { createVault } from './encryption.ts';
import { createKeyring } from './keyring.ts';
import { makeSigningKey, openSigningKey } from './signing-keys.ts';

test('a signing key is RSA with 2048 bits, and its certificate is self-signed and valid for years', async () => {
  const made = await makeSigningKey('northlab');
  const certificate = new X509Certificate(Buffer.from(made.certificate, 'base64'));
  const privateKey = openSigningKey(made.privateKey);
  expect(privateKey.asymmetricKeyDetails).toMatchObject({ modulusLength: 2048, publicExponent: 65_537n });
  expect(certificate.checkPrivateKey(privateKey)).toBe(true);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.subject).toContain('CN=northlab');
  expect(certificate.validFromDate.getTime()).toBeLessThan(Date.now());
  expect(certificate.validToDate.getTime() - Date.now()).toBeGreaterThan(9 * 365 * 86_400_000);
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
