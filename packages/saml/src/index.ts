export type { AssertionDraft, AttributeDraft } from './assertion.ts';
export { type AuthnRequest, type AuthnRequestDraft, buildAuthnRequest, parseAuthnRequest } from './authn-request.ts';
export type { BoundMessage, MessageKind, OutgoingMessage, RedirectSignature } from './bound-message.ts';
export { acceptedRelayState } from './bound-message.ts';
export { SamlError, type SamlErrorCode } from './errors.ts';
export { assertMessage, type Clock, type MessageExpectations, type ResponseExpectations } from './expectations.ts';
export { maximumMessageBytes } from './gate.ts';
export { isSamlId, newSamlId } from './ids.ts';
export { certificatesIn, type SigningKey } from './keys.ts';
export {
  buildLogoutRequest,
  type LogoutRequest,
  type LogoutRequestDraft,
  parseLogoutRequest,
} from './logout-request.ts';
export {
  buildLogoutResponse,
  type LogoutResponse,
  type LogoutResponseDraft,
  type LogoutStatus,
  parseLogoutResponse,
} from './logout-response.ts';
export type { MessageDraft, MessageHeader } from './messages.ts';
export { buildIdpMetadata, buildSpMetadata, type IdpMetadata, type SpMetadata } from './metadata.ts';
export type { NameId } from './name-id.ts';
export { bindings, nameIdFormats } from './names.ts';
export { type PostFields, type PostForm, postForm, readPost } from './post-binding.ts';
export { readRedirect, redirectUrl, verifyRedirectSignature } from './redirect-binding.ts';
export { buildResponse, buildStatusResponse, type ResponseDraft, type StatusResponseDraft } from './response.ts';
export { verifyPostSignature } from './signature-check.ts';
export { readSignedResponse, type SignedIn } from './signed-response.ts';
export { readSpMetadata, type SpDescription } from './sp-metadata.ts';
export type { ReceivedStatus, Status, StatusCode, StatusSubcode } from './status.ts';
export { verifyMessage } from './verify-message.ts';
