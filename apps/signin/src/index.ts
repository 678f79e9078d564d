import { createElement } from 'react';
import { renderDocument } from './document.tsx';
import type { AutoPostPage, AutoPostTitle } from './pages/auto-post.tsx';
import { ByMail, type ByMailPage, type MailReason } from './pages/by-mail.tsx';
import { ErrorNotice, type ErrorPage } from './pages/error-notice.tsx';
import { Leaving, type LeavingPage } from './pages/leaving.tsx';
import { LogoutConfirm, type LogoutConfirmPage } from './pages/logout-confirm.tsx';
import { NewPassword, type NewPasswordPage } from './pages/new-password.tsx';
import { RecoveryCodes, type RecoveryCodesPage } from './pages/recovery-codes.tsx';
import { SignIn, type SignInPage } from './pages/sign-in.tsx';
import { SignedOut, type SignedOutPage } from './pages/signed-out.tsx';
import { SigningOut, type SigningOutPage } from './pages/signing-out.tsx';
import { SiteTest, type SiteTestOutcome, type SiteTestPage, type SiteTestPart } from './pages/site-test.tsx';
import { type Factor, Verify, type VerifyPage } from './pages/verify.tsx';
import { ApiReference, type ApiReferencePage } from './reference/api-reference.tsx';

export { type Asset, assets } from './assets.ts';
export type { FooterLook, Look, NetworkLook, SiteLook } from './look.ts';
export { autoPostScriptHash, renderAutoPost } from './pages/auto-post.tsx';
export { type FramedOutcome, renderFramedOutcome } from './pages/framed-outcome.ts';
export { verifyScript } from './pages/verify.tsx';
export type { SiteStillSignedIn } from './parts/sites-still-signed-in.tsx';
export type { OpenApiDocument } from './reference/openapi.ts';
export type {
  ApiReferencePage,
  AutoPostPage,
  AutoPostTitle,
  ByMailPage,
  ErrorPage,
  Factor,
  LeavingPage,
  LogoutConfirmPage,
  MailReason,
  NewPasswordPage,
  RecoveryCodesPage,
  SignedOutPage,
  SignInPage,
  SigningOutPage,
  SiteTestOutcome,
  SiteTestPage,
  SiteTestPart,
  VerifyPage,
};

export const renderSignIn = (props: SignInPage): string => renderDocument(createElement(SignIn, props));
export const renderVerify = (props: VerifyPage): string => renderDocument(createElement(Verify, props));
export const renderRecoveryCodes = (props: RecoveryCodesPage): string =>
  renderDocument(createElement(RecoveryCodes, props));
export const renderNewPassword = (props: NewPasswordPage): string => renderDocument(createElement(NewPassword, props));
export const renderByMail = (props: ByMailPage): string => renderDocument(createElement(ByMail, props));
export const renderSignedOut = (props: SignedOutPage): string => renderDocument(createElement(SignedOut, props));
export const renderSigningOut = (props: SigningOutPage): string => renderDocument(createElement(SigningOut, props));
export const renderLogoutConfirm = (props: LogoutConfirmPage): string =>
  renderDocument(createElement(LogoutConfirm, props));
export const renderSiteTest = (props: SiteTestPage): string => renderDocument(createElement(SiteTest, props));
export const renderError = (props: ErrorPage): string => renderDocument(createElement(ErrorNotice, props));
export const renderLeaving = (props: LeavingPage): string => renderDocument(createElement(Leaving, props));
export const renderApiReference = (props: ApiReferencePage): string =>
  renderDocument(createElement(ApiReference, props));
