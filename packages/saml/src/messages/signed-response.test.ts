import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contents, markup } from '../testing/content-attacks.ts';
import { codeOf } from '../testing/errors.ts';
import { foreignKey, testKey } from '../testing/keys.ts';
import { requestId, responseExpectations } from '../testing/samples.ts';
import { signatures, wrapping } from '../testing/signature-attacks.ts';
import { bothSigned, draft, genuine, otherDraft, unsigned } from '../testing/victim.ts';
import { readSignedResponse } from './signed-response.ts';

const read = (xml: string) => readSignedResponse(xml, responseExpectations());

describe('a signed response', () => {
  test('is accepted as we build it, and every value is read', () => {
    expect(read(genuine)).toEqual({
      responseId: draft.id,
      assertionId: draft.assertionId,
      inResponseTo: requestId,
      nameId: 'anna@example.com',
      nameIdFormat: draft.nameId.format,
      sessionIndex: '_session1',
      authnInstant: draft.authnInstant,
      sessionNotOnOrAfter: undefined,
      notOnOrAfter: new Date(draft.issueInstant.getTime() + 300_000),
      attributes: { email: ['anna@example.com'], groups: ['Editors', 'R&D <Berlin>'] },
    });
  });

  test.each([
    ['signed by another hand', bothSigned(unsigned)],
    [
      'with SHA-512',
      bothSigned(unsigned, {
        signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
        digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha512',
      }),
    ],
    ['after an XML declaration', `<?xml version="1.0" encoding="UTF-8"?>\n${genuine}\n`],
    ['with carriage returns in the signature value', genuine.replace(/(<ds:SignatureValue>.{76})/, '$1&#13;\n')],
  ])('is accepted %s', (_, xml) => {
    expect(read(xml).nameId).toBe('anna@example.com');
  });

  test('is accepted under either of two certificates', () => {
    const expectations = responseExpectations({ certificates: [foreignKey.certificate, testKey.certificatePem] });
    expect(readSignedResponse(genuine, expectations).assertionId).toBe(draft.assertionId);
  });

  test('is accepted unsolicited if no request was sent', () => {
    const expectations = responseExpectations({ inResponseTo: undefined });
    expect(readSignedResponse(otherDraft({ inResponseTo: undefined }), expectations).inResponseTo).toBeUndefined();
  });

  test('is refused when no certificate is registered', () => {
    const expectations = responseExpectations({ certificates: [] });
    expect(codeOf(() => readSignedResponse(genuine, expectations))).toBe('signature_invalid');
  });
});

describe('an attack is refused:', () => {
  test.each([...wrapping, ...signatures, ...markup, ...contents])('%s (%s)', (_, code, xml) => {
    expect(xml).not.toBe(genuine);
    expect(codeOf(() => read(xml))).toBe(code);
  });
});

describe('a random change anywhere', () => {
  test('is refused, or does not change what is read', () => {
    const expected = read(genuine);
    const change = fc.record({
      position: fc.nat(genuine.length),
      removed: fc.nat(6),
      inserted: fc.constantFrom(
        '',
        '<',
        '>',
        '&',
        '"',
        ' ',
        'x',
        '/',
        '\n',
        '<x/>',
        '&#x41;',
        ' ID="_x"',
        ' xmlns="urn:x"',
      ),
    });
    const property = fc.property(change, ({ position, removed, inserted }) => {
      const changed = genuine.slice(0, position) + inserted + genuine.slice(position + removed);
      const isRefused = codeOf(() => read(changed)) !== 'accepted';
      expect(isRefused ? expected : read(changed)).toEqual(expected);
    });
    fc.assert(property, { numRuns: 500 });
  });
});
