import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const identified = [
  'protocol:Response',
  'protocol:LogoutRequest',
  'protocol:LogoutResponse',
  'protocol:AuthnRequest',
  'assertion:Assertion',
].flatMap((name) => ['--id-attr:ID', `urn:oasis:names:tc:SAML:2.0:${name}`]);

const inFolder = <Result>(work: (folder: string) => Result): Result => {
  const folder = mkdtempSync(join(tmpdir(), 'saml-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const xmlsec = (...options: string[]) => {
  const { status, error, stderr } = spawnSync('xmlsec1', options, { encoding: 'utf8' });
  if (error)
    throw new Error('These tests need the program xmlsec1: install the package of that name.', { cause: error });
  return { succeeded: status === 0, stderr };
};

/**
 * Checks whether xmlsec1 accepts the signature directly inside the element at `path`, such as `/Response/Assertion`.
 */
export const acceptedByXmlsec = (xml: string, certificatePem: string, path: string): boolean =>
  inFolder((folder) => {
    const [message, certificate] = [join(folder, 'message.xml'), join(folder, 'certificate.pem')];
    writeFileSync(message, xml);
    writeFileSync(certificate, certificatePem);
    const xpath = `${path}/Signature`.replace(/\/(\w+)/g, "/*[local-name()='$1']");
    return xmlsec('--verify', '--pubkey-cert-pem', certificate, ...identified, '--node-xpath', xpath, message)
      .succeeded;
  });

/** Fills in the signature that `template` outlines. */
export const signedByXmlsec = (template: string, privateKeyPem: string): string =>
  inFolder((folder) => {
    const [message, key, output] = [join(folder, 'message.xml'), join(folder, 'key.pem'), join(folder, 'output.xml')];
    writeFileSync(message, template);
    writeFileSync(key, privateKeyPem);
    const { succeeded, stderr } = xmlsec('--sign', '--privkey-pem', key, ...identified, '--output', output, message);
    if (!succeeded) throw new Error(`xmlsec1 did not sign: ${stderr}`);
    return readFileSync(output, 'utf8');
  });

/** Decrypts the encrypted assertion of a response and returns the whole response. */
export const decryptedByXmlsec = (xml: string, privateKeyPem: string): string =>
  inFolder((folder) => {
    const [message, key, output] = [join(folder, 'message.xml'), join(folder, 'key.pem'), join(folder, 'output.xml')];
    writeFileSync(message, xml);
    writeFileSync(key, privateKeyPem);
    const { succeeded, stderr } = xmlsec('--decrypt', '--privkey-pem', key, '--output', output, message);
    if (!succeeded) throw new Error(`xmlsec1 did not decrypt: ${stderr}`);
    return readFileSync(output, 'utf8');
  });
