import { execFileSync } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import type { SigningKey } from '../signature/keys.ts';

export type TestKey = SigningKey & { certificatePem: string; privateKeyPem: string };

export const makeKey = (commonName: string, newkey = ['rsa:2048']): TestKey => {
  const options = ['-newkey', ...newkey, '-nodes', '-days', '2', '-subj', `/CN=${commonName}`, '-keyout', '-'];
  const pem = execFileSync('openssl', ['req', '-x509', ...options], { encoding: 'utf8', stdio: 'pipe' });
  const [certificatePem = ''] = /-----BEGIN CERTIFICATE-----.*-----END CERTIFICATE-----/s.exec(pem) ?? [];
  const [privateKeyPem = ''] = /-----BEGIN PRIVATE KEY-----.*-----END PRIVATE KEY-----/s.exec(pem) ?? [];
  const certificate = certificatePem.replace(/-----[^-]+-----|\s/g, '');
  return { privateKey: createPrivateKey(privateKeyPem), certificate, certificatePem, privateKeyPem };
};

/** Generated for each test file, so that no private key is stored in the repository. */
export const testKey = makeKey('identity provider');
/** An ECDSA key on the curve P-256. */
export const ecKey = makeKey('identity provider', ['ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']);
export const foreignKey = makeKey('somebody else');
