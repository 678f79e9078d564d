import type { SamlErrorCode } from '../errors.ts';
import { buildResponse, type ResponseDraft } from '../messages/response.ts';
import { evil, response, type SignOptions, signBy, takeApart } from './forgery.ts';
import { testKey } from './keys.ts';
import { responseDraft } from './samples.ts';

export type Attack = [title: string, code: SamlErrorCode, xml: string];

export const draft = responseDraft();
export const genuine = buildResponse(draft, testKey);
export const parts = takeApart(genuine);
export const unsigned = response(parts.open, parts.issuer, parts.status, parts.bareAssertion);
export const evilAssertion = evil(parts.bareAssertion, '_evil');

export const otherDraft = (changes: Partial<ResponseDraft>): string => buildResponse({ ...draft, ...changes }, testKey);

/** As if the identity provider itself had signed a message of this shape: the rules within are then put to the test. */
export const signedAround = (...children: string[]): string =>
  signBy(response(parts.open, parts.issuer, parts.status, ...children), 'Response');

export const bothSigned = (xml: string, options?: SignOptions): string =>
  signBy(signBy(xml, 'Assertion', options), 'Response');
