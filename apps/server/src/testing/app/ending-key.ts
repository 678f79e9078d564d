import { execFileSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';

/** A key with a certificate that expires after a number of days, made with OpenSSL. `privateKey` is PKCS #8 in DER encoding. */
export const makeEndingKey = (days: number): { privateKey: Buffer; certificate: string } => {
  const options = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', '-'];
  const command = ['req', '-x509', ...options, '-days', String(days), '-subj', '/CN=ending'];
  const pem = execFileSync('openssl', command, { encoding: 'utf8', stdio: 'pipe' });
  const partOf = (name: string) =>
    new RegExp(`-----BEGIN ${name}-----.*-----END ${name}-----`, 's').exec(pem)?.[0] ?? '';
  return {
    privateKey: createPrivateKey(partOf('PRIVATE KEY')).export({ format: 'der', type: 'pkcs8' }),
    certificate: new X509Certificate(partOf('CERTIFICATE')).raw.toString('base64'),
  };
};
