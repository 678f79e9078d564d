import type { FastifyInstance } from 'fastify';
import type { Parts } from '../../parts.ts';
import { createSiteCache } from './destination/site-cache.ts';
import type { SignInParts } from './flow/sign-in-flow.ts';
import { oidcLogoutRoutes } from './logout/logout.oidc.routes.ts';
import { logoutRoutes } from './logout/logout.routes.ts';
import { soapLogoutRoutes } from './logout/logout.soap.routes.ts';
import { oidcRoutes } from './oidc/oidc.routes.ts';
import { identifyRoutes } from './pages/identify.routes.ts';
import { mailRoutes } from './pages/mails.routes.ts';
import { passwordRoutes } from './pages/password.routes.ts';
import { socialLoginSteps } from './pages/social-login.ts';
import { verifyRoutes } from './pages/verify.routes.ts';
import { metadataRoutes } from './saml/metadata.routes.ts';
import { ssoRoutes } from './saml/sso.routes.ts';
import type { TestExplainer } from './site-test/explainer.ts';
import { siteTestPageRoutes } from './site-test/site-test.routes.ts';

/** The identity provider: its SAML and OpenID Connect endpoints and the sign-in pages. Returns the steps that social logins use. */
export const signInRoutes = (app: FastifyInstance, parts: Parts, explainer: TestExplainer) => {
  const signInParts: SignInParts = { ...parts, siteCache: createSiteCache(parts.db), explainer };
  metadataRoutes(app, parts);
  ssoRoutes(app, signInParts);
  oidcRoutes(app, signInParts);
  siteTestPageRoutes(app, signInParts);
  identifyRoutes(app, signInParts);
  verifyRoutes(app, signInParts);
  passwordRoutes(app, signInParts);
  mailRoutes(app, signInParts);
  logoutRoutes(app, parts);
  soapLogoutRoutes(app, parts);
  oidcLogoutRoutes(app, parts);
  return socialLoginSteps(signInParts);
};
