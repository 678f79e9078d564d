import { decodeText } from '../xml/plain-markup.ts';
import {
  acceptedRelayState,
  assertWebLocation,
  type BoundMessage,
  checkedXml,
  decodeBase64,
  inflate,
  type OutgoingMessage,
  selectMessage,
} from './bound-message.ts';

export type PostFields = {
  SAMLRequest?: string | undefined;
  SAMLResponse?: string | undefined;
  RelayState?: string | undefined;
};

export type PostForm = { action: string; fields: Record<string, string> };

/** Some senders compress messages although the POST binding does not. Compressed bytes never begin like XML: with `<`, blanks or a mark. */
const isXml = (bytes: Buffer): boolean => /^(\uFEFF|\s)*</.test(bytes.subarray(0, 100).toString());

export const readPost = (fields: PostFields): BoundMessage => {
  const [kind, encoded] = selectMessage(fields.SAMLRequest, fields.SAMLResponse);
  const bytes = decodeBase64(encoded);
  const xml = checkedXml(kind, decodeText(isXml(bytes) ? bytes : inflate(bytes)));
  return { binding: 'post', kind, xml, relayState: acceptedRelayState(fields.RelayState), signature: undefined };
};

export const postForm = ({ location, kind, xml, relayState }: OutgoingMessage): PostForm => {
  assertWebLocation(location);
  const message = { [kind]: Buffer.from(xml).toString('base64') };
  return { action: location, fields: relayState === undefined ? message : { ...message, RelayState: relayState } };
};
