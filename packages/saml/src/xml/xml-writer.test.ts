import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExclusiveCanonicalization } from 'xml-crypto';
import { protectCharacters } from './characters.ts';
import { toDomElement } from './dom-element.ts';
import { parseXml } from './xml-reader.ts';
import { canonical, element, type XmlElement } from './xml-writer.ts';

const names = fc.constantFrom('saml:A', 'samlp:B', 'ds:C', 'md:D', 'ec:E');
const attributeNames = fc.constantFrom('ID', 'a', 'Zed', 'xsi:type', 'ds:x', 'saml:ID', 'Ünder');
const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 });

const { tree } = fc.letrec<{ tree: XmlElement }>((tie) => ({
  tree: fc
    .tuple(
      names,
      fc.dictionary(attributeNames, text, { maxKeys: 4, noNullPrototype: true }),
      fc.array(fc.oneof({ maxDepth: 4, withCrossShrink: true }, text, tie('tree')), { maxLength: 4 }),
    )
    .map(([name, attributes, children]) => element(name as 'saml:A', attributes, children)),
}));

/** The canonical form of the parsed document, by xml-crypto. */
const canonicalByXmlCrypto = (xml: string) => new ExclusiveCanonicalization().process(toDomElement(parseXml(xml)), {});

describe('the XML writer', () => {
  test('output is in exclusive canonical form', () => {
    const property = fc.property(tree, (node) => {
      const xml = canonical(node);
      expect(canonicalByXmlCrypto(protectCharacters(xml))).toBe(xml);
    });
    fc.assert(property, { numRuns: 500 });
  });

  test('declares a namespace where it is first used, and sorts attributes after it', () => {
    const node = element('saml:A', { b: '2', a: '1' }, [element('saml:B', { 'xsi:type': 'x' }), element('ds:C')]);
    expect(canonical(node)).toBe(
      '<saml:A xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" a="1" b="2">' +
        '<saml:B xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="x"></saml:B>' +
        '<ds:C xmlns:ds="http://www.w3.org/2000/09/xmldsig#"></ds:C></saml:A>',
    );
  });

  test('escapes markup and white space, and replaces characters that XML does not allow', () => {
    const node = element('saml:A', { a: '<"&>\t\n\r\0' }, ['<"&>\t\n\r\0\ud800']);
    expect(canonical(node)).toContain(
      ' a="&lt;&quot;&amp;>&#x9;&#xA;&#xD;\ufffd">&lt;"&amp;&gt;\t\n&#xD;\ufffd\ufffd<',
    );
  });
});
