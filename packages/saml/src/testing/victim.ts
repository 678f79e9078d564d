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

/**
 * Signs a response with any children as the identity provider would, so that the tests reach the checks behind the
 * signature.
 */
export const signedAround = (...children: string[]): string =>
  signBy(response(parts.open, parts.issuer, parts.status, ...children), 'Response');

export const bothSigned = (xml: string, options?: SignOptions): string =>
  signBy(signBy(xml, 'Assertion', options), 'Response');
