export const exclusiveCanonicalization = 'http://www.w3.org/2001/10/xml-exc-c14n#';
export const envelopedSignature = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
export const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
export const sha256 = 'http://www.w3.org/2001/04/xmlenc#sha256';

/** The accepted algorithms and their hash functions. SHA-1, HMAC and RSA-PSS are deliberately missing. */
export const signatureHashes: ReadonlyMap<string, string> = new Map([
  [rsaSha256, 'sha256'],
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha384', 'sha384'],
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha512', 'sha512'],
]);

export const digestHashes: ReadonlyMap<string, string> = new Map([
  [sha256, 'sha256'],
  ['http://www.w3.org/2001/04/xmldsig-more#sha384', 'sha384'],
  ['http://www.w3.org/2001/04/xmlenc#sha512', 'sha512'],
]);
