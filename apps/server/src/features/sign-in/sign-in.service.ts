/** The functions of the sign-in that other features may use. */
export type { SiteCheckId } from './accounts/checks.ts';
export { ownLogin } from './accounts/login-types.ts';
export { unlockAccount } from './credentials/attempt-limits.ts';
export { confirmPassword } from './credentials/confirm-password.ts';
export { deviceOf, renewDevice } from './credentials/known-devices.ts';
export { deleteStaleSignIns } from './flow/cleanup.queries.ts';
export { decideSignIn, findSiteRefusals, type SignInDecision, type StageId } from './flow/decision.ts';
export { beginOwnLogout } from './logout/logout.service.ts';
export { latestLogout } from './logout/logout-key.ts';
export { findUnnotifiedSitesByKey, findUnnotifiedSitesByRequest } from './logout/logouts.queries.ts';
export { sendLogoutStep } from './logout/send-step.ts';
export { listKeys, promoteDueKeys, replaceKey } from './oidc/key-changes.ts';
export { previewClaims } from './oidc/preview.ts';
export { consoleAddresses, idpAddresses } from './saml/addresses.ts';
export { previewAssertion } from './saml/preview.ts';
export { claimMessage } from './saml/replays.queries.ts';
export type { TestExplainer } from './site-test/explainer.ts';
export { findLastTest, type SiteTestRow, upsertTest } from './site-test/site-tests.queries.ts';
