import { buildResponse } from '../messages/response.ts';
import { evil, response, signBy, takeApart, within } from './forgery.ts';
import { foreignKey, testKey } from './keys.ts';
import {
  type Attack,
  bothSigned,
  draft,
  evilAssertion,
  genuine,
  otherDraft,
  parts,
  signedAround,
  unsigned,
} from './victim.ts';

const { open, issuer, signature, status, assertion, assertionSignature, bareAssertion } = parts;
const evilOpen = evil(open, '_evilResponse');

const sha1Signature = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1';
const sha1Digest = 'http://www.w3.org/2000/09/xmldsig#sha1';
const inclusive = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
const hmac = 'http://www.w3.org/2000/09/xmldsig#hmac-sha1';
const exclusiveTransform = '<ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#">';

const inSignature = (inserted: string) => within(signature, 'ds:Signature', inserted);
const object = (content: string) => `<ds:Object>${content}</ds:Object>`;
const extensions = (content: string) => `<samlp:Extensions>${content}</samlp:Extensions>`;
const original = response(open, issuer, status, assertion);

export const wrapping: Attack[] = [
  [
    'XSW1: the signed response inside the signature',
    'signature_invalid',
    response(evilOpen, issuer, inSignature(original), status, evilAssertion),
  ],
  [
    'XSW2: the signed response beside the signature',
    'signature_invalid',
    response(evilOpen, issuer, original, signature, status, evilAssertion),
  ],
  ['XSW3: an unsigned assertion before the signed one', 'assertion_count', signedAround(evilAssertion, assertion)],
  ['XSW3 without a signed response', 'signature_missing', response(open, issuer, status, evilAssertion, assertion)],
  [
    'XSW3 under the old signature',
    'signature_invalid',
    response(open, issuer, signature, status, evilAssertion, assertion),
  ],
  [
    'XSW4: the signed assertion inside an unsigned one',
    'signature_invalid',
    signedAround(within(evilAssertion, 'saml:Assertion', assertion)),
  ],
  [
    'XSW5: the signature moved to another assertion, the signed one last',
    'assertion_count',
    signedAround(evilAssertion.replace('<saml:Subject>', `${assertionSignature}<saml:Subject>`), bareAssertion),
  ],
  [
    'XSW6: the signed assertion inside the moved signature',
    'assertion_count',
    signedAround(
      evilAssertion.replace(
        '<saml:Subject>',
        `${within(assertionSignature, 'ds:Signature', bareAssertion)}<saml:Subject>`,
      ),
    ),
  ],
  [
    'XSW7: an unsigned assertion with the same ID in extensions',
    'id_repeated',
    signBy(response(open, issuer, extensions(evil(bareAssertion, draft.assertionId)), status, assertion), 'Response'),
  ],
  [
    'XSW7 with another ID',
    'assertion_count',
    signBy(response(open, issuer, extensions(evilAssertion), status, assertion), 'Response'),
  ],
  [
    'XSW8: the signed assertion in an Object of the moved signature',
    'assertion_count',
    signedAround(
      evilAssertion.replace(
        '<saml:Subject>',
        `${within(assertionSignature, 'ds:Signature', object(bareAssertion))}<saml:Subject>`,
      ),
    ),
  ],
  ['an unsigned assertion after the signed one', 'assertion_count', signedAround(assertion, evilAssertion)],
  [
    'two signed assertions',
    'assertion_count',
    signedAround(assertion, takeApart(otherDraft({ assertionId: '_second' })).assertion),
  ],
  [
    'an encrypted assertion beside the signed one',
    'assertion_count',
    signedAround(assertion, '<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/>'),
  ],
  [
    'an assertion of no namespace beside the signed one',
    'assertion_count',
    signedAround(assertion, '<Assertion ID="_other"/>'),
  ],
  ['no assertion at all', 'assertion_count', signBy(response(open, issuer, status), 'Response')],
  [
    'two elements of one ID',
    'id_repeated',
    genuine.replace('<saml:Subject>', `<saml:Subject Id="${draft.assertionId}">`),
  ],
  [
    'an ID with a namespace prefix, signed',
    'signature_invalid',
    bothSigned(unsigned.replace('<saml:Subject>', '<saml:Subject saml:ID="_other">')),
  ],
  [
    'an ID with a namespace prefix',
    'signature_invalid',
    genuine.replace('<saml:Subject>', `<saml:Subject saml:ID="_other">`),
  ],
  [
    'a signature in the subject',
    'signature_invalid',
    genuine.replace('<saml:Subject>', `<saml:Subject>${assertionSignature}`),
  ],
];

export const signatures: Attack[] = [
  ['no signature', 'signature_missing', unsigned],
  ['no signature of the response', 'signature_missing', response(open, issuer, status, assertion)],
  ['no signature of the assertion', 'signature_missing', signBy(unsigned, 'Response')],
  ['a changed name', 'signature_invalid', genuine.replaceAll('anna@', 'root@')],
  ['a changed attribute', 'signature_invalid', genuine.replace('Editors', 'Owners')],
  ['a changed issue instant', 'signature_invalid', genuine.replace(/IssueInstant="20/, 'IssueInstant="21')],
  ['a foreign key and its certificate', 'signature_invalid', buildResponse(draft, foreignKey)],
  [
    'a foreign key under our certificate',
    'signature_invalid',
    buildResponse(draft, { ...foreignKey, certificate: testKey.certificate }),
  ],
  [
    'an assertion signed by a foreign key',
    'signature_invalid',
    signBy(signBy(unsigned, 'Assertion', { key: foreignKey }), 'Response'),
  ],
  [
    'a response signed by a foreign key',
    'signature_invalid',
    signBy(response(open, issuer, status, assertion), 'Response', { key: foreignKey }),
  ],
  ['an assertion signed with SHA-1', 'algorithm_refused', bothSigned(unsigned, { signatureAlgorithm: sha1Signature })],
  ['an assertion digested with SHA-1', 'algorithm_refused', bothSigned(unsigned, { digestAlgorithm: sha1Digest })],
  [
    'a response signed with SHA-1',
    'algorithm_refused',
    signBy(response(open, issuer, status, assertion), 'Response', { signatureAlgorithm: sha1Signature }),
  ],
  [
    'HMAC with the public certificate',
    'algorithm_refused',
    genuine.replaceAll(/Algorithm="[^"]*#rsa-sha256"/g, `Algorithm="${hmac}"`),
  ],
  [
    'an algorithm named like a member of objects',
    'algorithm_refused',
    genuine.replaceAll(/Algorithm="[^"]*#rsa-sha256"/g, 'Algorithm="constructor"'),
  ],
  [
    'inclusive canonicalization of the reference',
    'algorithm_refused',
    bothSigned(unsigned, { transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', inclusive] }),
  ],
  [
    'inclusive canonicalization of the signature',
    'algorithm_refused',
    bothSigned(unsigned, { canonicalization: inclusive }),
  ],
  [
    'an XPath transform',
    'signature_invalid',
    genuine.replace(
      exclusiveTransform,
      `<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"></ds:Transform>${exclusiveTransform}`,
    ),
  ],
  [
    'a reference to the whole document',
    'signature_invalid',
    signBy(response(open, issuer, status, assertion), 'Response', { isEmptyUri: true }),
  ],
  [
    'two references',
    'signature_invalid',
    signBy(response(open, issuer, status, assertion), 'Response', { alsoSign: "//*[local-name()='Assertion']" }),
  ],
  [
    'a reference to another element',
    'signature_invalid',
    genuine.replace(`URI="#${draft.id}"`, `URI="#${draft.assertionId}"`),
  ],
  ['two SignedInfo', 'signature_invalid', genuine.replace(/(<ds:SignedInfo>.*?<\/ds:SignedInfo>)/s, '$1$1')],
  ['a signature around a signature', 'signature_invalid', signBy(genuine, 'Response')],
  ['two signatures of the response', 'signature_invalid', genuine.replace(signature, signature + signature)],
  ['a comment in the digest', 'markup_forbidden', genuine.replace('<ds:DigestValue>', '<ds:DigestValue><!--x-->')],
  ['an element in the digest', 'message_unexpected', genuine.replace('<ds:DigestValue>', '<ds:DigestValue><x/>')],
  ['an empty signature value', 'signature_invalid', genuine.replace(/(<ds:SignatureValue>)[^<]*/, '$1')],
];
