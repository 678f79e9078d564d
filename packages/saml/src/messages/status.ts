import { SamlError } from '../errors.ts';
import { type Element, optionalChild, requiredAttribute, requiredChild, textOf } from '../xml/xml-reader.ts';
import { element, type XmlElement } from '../xml/xml-writer.ts';

export type StatusCode = 'Success' | 'Requester' | 'Responder' | 'VersionMismatch';

export type StatusSubcode =
  | 'AuthnFailed'
  | 'InvalidAttrNameOrValue'
  | 'InvalidNameIDPolicy'
  | 'NoAuthnContext'
  | 'NoPassive'
  | 'PartialLogout'
  | 'RequestDenied'
  | 'RequestUnsupported'
  | 'RequestVersionTooLow'
  | 'UnknownPrincipal'
  | 'UnsupportedBinding';

export type Status = { code: StatusCode; subcode?: StatusSubcode | undefined; message?: string | undefined };

/** Status codes as received: the URI without the SAML prefix. The sender may use codes that we do not know. */
export type ReceivedStatus = { code: string; subcode: string | undefined; message: string | undefined };

const statusPrefix = 'urn:oasis:names:tc:SAML:2.0:status:';

export const statusElement = ({ code, subcode, message }: Status): XmlElement =>
  element('samlp:Status', {}, [
    element('samlp:StatusCode', { Value: `${statusPrefix}${code}` }, [
      subcode && element('samlp:StatusCode', { Value: `${statusPrefix}${subcode}` }),
    ]),
    message === undefined ? undefined : element('samlp:StatusMessage', {}, [message]),
  ]);

const codeOf = (statusCode: Element): string => {
  const value = requiredAttribute(statusCode, 'Value');
  return value.startsWith(statusPrefix) ? value.slice(statusPrefix.length) : value;
};

export const readStatus = (message: Element): ReceivedStatus => {
  const status = requiredChild(message, 'samlp:Status');
  const statusCode = requiredChild(status, 'samlp:StatusCode');
  const subcode = optionalChild(statusCode, 'samlp:StatusCode');
  const statusMessage = optionalChild(status, 'samlp:StatusMessage');
  return {
    code: codeOf(statusCode),
    subcode: subcode && codeOf(subcode),
    message: statusMessage && textOf(statusMessage),
  };
};

export const assertSuccess = (message: Element): void => {
  const { code, subcode, message: text } = readStatus(message);
  if (code === 'Success') return;
  const parts = [code, subcode, text].filter((part) => part !== undefined);
  throw new SamlError('status_failure', { detail: parts.join(', ').slice(0, 300) });
};
