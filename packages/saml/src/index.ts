export type { BoundMessage, MessageKind, OutgoingMessage, RedirectSignature } from './bindings/bound-message.ts';
export { acceptedRelayState } from './bindings/bound-message.ts';
export { type PostFields, type PostForm, postForm, readPost } from './bindings/post-binding.ts';
export { readRedirect, redirectUrl, verifyRedirectSignature } from './bindings/redirect-binding.ts';
export { readSoap, soapEnvelope, soapFault } from './bindings/soap-binding.ts';
export { verifyMessage } from './bindings/verify-message.ts';
export { SamlError, type SamlErrorCode } from './errors.ts';
export type { AssertionDraft, AttributeDraft } from './messages/assertion.ts';
export {
  type AuthnRequest,
  type AuthnRequestDraft,
  buildAuthnRequest,
  comparisons,
  parseAuthnRequest,
  type RequestedAuthnContext,
} from './messages/authn-request.ts';
export {
  assertMessage,
  type Clock,
  type MessageExpectations,
  type ResponseExpectations,
} from './messages/expectations.ts';
export {
  buildLogoutRequest,
  type LogoutRequest,
  type LogoutRequestDraft,
  parseLogoutRequest,
} from './messages/logout-request.ts';
export {
  buildLogoutResponse,
  type LogoutResponse,
  type LogoutResponseDraft,
  type LogoutStatus,
  parseLogoutResponse,
} from './messages/logout-response.ts';
export type { MessageDraft, MessageHeader } from './messages/message.ts';
export type { NameId } from './messages/name-id.ts';
export {
  buildResponse,
  buildStatusResponse,
  buildUnsignedAssertion,
  type ResponseDraft,
  type ResponseProtection,
  type StatusResponseDraft,
} from './messages/response.ts';
export { readSignedResponse, type SignedIn } from './messages/signed-response.ts';
export type { ReceivedStatus, Status, StatusCode, StatusSubcode } from './messages/status.ts';
export { buildIdpMetadata, buildSpMetadata, type IdpMetadata, type SpMetadata } from './metadata/build-metadata.ts';
export { readSpMetadata, readSpMetadataOf, type SpDescription } from './metadata/read-sp-metadata.ts';
export { encryptionKeyOf, parseCertificates, type SigningKey } from './signature/keys.ts';
export { verifyPostSignature } from './signature/verify-signature.ts';
export { isSamlId, newSamlId } from './xml/ids.ts';
export { attributeNameFormats, authnContexts, bindings, nameIdFormats } from './xml/names.ts';
export { maximumMessageBytes } from './xml/plain-markup.ts';
