import type { SiteExchange } from '@opensocial/contract';
import type { ExchangeFacts } from '../../identity/site-exchanges.ts';
import { toDay, toTime } from './finding.ts';

const bindings: Record<string, string> = { redirect: 'HTTP-Redirect', post: 'HTTP-POST', soap: 'SOAP' };

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** The names of attributes with the lengths of their values. */
const describeAttributes = (attributes: NonNullable<ExchangeFacts['attributes']>): string =>
  attributes
    .map(({ name, lengths }) =>
      lengths.length === 0
        ? `${name}: no value`
        : `${name}: ${lengths.map((length) => plural(length, 'character')).join(', ')}`,
    )
    .join('\n');

/** What a message contained, in the order in which an administrator would read it. */
export const describeFacts = (facts: ExchangeFacts): SiteExchange['facts'] => {
  const { certificate, certificateEnds, isSigned, attributes, contexts } = facts;
  const entries: [string, string | number | undefined][] = [
    ['Entity ID', facts.issuer],
    ['Client ID', facts.clientId],
    ['Binding', facts.binding && (bindings[facts.binding] ?? facts.binding)],
    ['SSO ACS URL', facts.acs],
    ['Index of the ACS URL', facts.acsIndex],
    ['Redirect URL', facts.redirectUri],
    ['Meant for', facts.destination],
    ['Issued at', facts.issuedAt && toTime(facts.issuedAt)],
    ['Received at', facts.receivedAt && toTime(facts.receivedAt)],
    ['Signature', isSigned === undefined ? undefined : isSigned ? 'Yes' : 'No'],
    ['Signature algorithm', facts.algorithm],
    [
      'Certificate in the request',
      certificate && `${certificate}${certificateEnds ? `, valid until ${toDay(new Date(certificateEnds))}` : ''}`,
    ],
    ['Binding of the response', facts.responseBinding],
    ['NameID format', facts.nameIdFormat],
    ['NameID', facts.nameId],
    ['SPNameQualifier', facts.nameQualifier],
    ['Index of the attributes', facts.attributeIndex],
    ['Requested authentication', contexts && [facts.comparison ?? '', ...contexts].filter(Boolean).join('\n')],
    ['Authentication', facts.context],
    ['Response type', facts.responseType],
    ['Scope', facts.scope],
    ['PKCE method', facts.challengeMethod],
    ['Grant type', facts.grantType],
    ['Client authentication', facts.authentication],
    ['Second factor', facts.proven],
    ['Error', facts.error],
    ['Reason', facts.detail],
    ['Attributes', attributes && describeAttributes(attributes)],
  ];
  return entries.flatMap(([label, value]) =>
    value === undefined || value === '' ? [] : [{ label, value: String(value) }],
  );
};
