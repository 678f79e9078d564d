import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { aboutRoutes } from './features/about/about.routes.ts';
import { accessCheckRoutes } from './features/access-checks/access-checks.routes.ts';
import { activationRoutes } from './features/activation/activation.routes.ts';
import { activityExportRoutes } from './features/activity/activity.export.routes.ts';
import { activityLiveRoutes } from './features/activity/activity.live.routes.ts';
import { activityRoutes } from './features/activity/activity.routes.ts';
import { timelineRoutes } from './features/activity/activity.timeline.routes.ts';
import { userActivityRoutes } from './features/activity/activity.users.routes.ts';
import { auditRecordRoutes } from './features/audit/audit.records.routes.ts';
import { auditRoutes } from './features/audit/audit.routes.ts';
import { desktopRoutes } from './features/desktop/desktop.routes.ts';
import { diagnosisRoutes } from './features/diagnosis/diagnosis.routes.ts';
import { embeddedRoutes } from './features/embedded/embedded.routes.ts';
import { gettingStartedRoutes } from './features/getting-started/getting-started.routes.ts';
import { groupEntryRoutes } from './features/groups/groups.entry.routes.ts';
import { groupMemberRoutes } from './features/groups/groups.members.routes.ts';
import { groupRoutes } from './features/groups/groups.routes.ts';
import { groupSiteRoutes } from './features/groups/groups.sites.routes.ts';
import { userGroupRoutes } from './features/groups/groups.users.routes.ts';
import { healthRoutes } from './features/health/health.routes.ts';
import { iconRoutes } from './features/icons/icons.routes.ts';
import { mediaFileRoutes } from './features/media/media.files.routes.ts';
import { mediaRoutes } from './features/media/media.routes.ts';
import { mfaRoutes } from './features/mfa/mfa.routes.ts';
import { networkRoutes } from './features/networks/networks.routes.ts';
import { oidcKeyRoutes } from './features/oidc-keys/oidc-keys.routes.ts';
import { overviewRoutes } from './features/overview/overview.routes.ts';
import { ownerRoutes } from './features/owners/owners.routes.ts';
import { passkeyRoutes } from './features/passkeys/passkeys.routes.ts';
import { profileNetworkRoutes } from './features/profile/profile.networks.routes.ts';
import { profilePictureFileRoutes } from './features/profile/profile.pictures.routes.ts';
import { profileRoutes } from './features/profile/profile.routes.ts';
import { referenceRoutes } from './features/reference/reference.routes.ts';
import { sessionLoginRoutes } from './features/session/session.login.routes.ts';
import { sessionLogoutRoutes } from './features/session/session.logout.routes.ts';
import { sessionRoutes } from './features/session/session.routes.ts';
import { settingsRoutes } from './features/settings/settings.routes.ts';
import { signInRoutes } from './features/sign-in/sign-in.routes.ts';
import { signingKeyRoutes } from './features/signing-keys/signing-keys.routes.ts';
import { siteTestRoutes } from './features/site-tests/site-tests.routes.ts';
import { createTestExplainer } from './features/site-tests/site-tests.service.ts';
import { siteAttributeRoutes } from './features/sites/sites.attributes.routes.ts';
import { siteClaimRoutes } from './features/sites/sites.claims.routes.ts';
import { siteHealthRoutes } from './features/sites/sites.health.routes.ts';
import { siteMaintenanceRoutes } from './features/sites/sites.maintenance.routes.ts';
import { siteMetadataRoutes } from './features/sites/sites.metadata.routes.ts';
import { siteMfaRoutes } from './features/sites/sites.mfa.routes.ts';
import { siteOidcRoutes } from './features/sites/sites.oidc.routes.ts';
import { siteOverviewRoutes } from './features/sites/sites.overview.routes.ts';
import { siteRoutes } from './features/sites/sites.routes.ts';
import { socialRoutes } from './features/social/social.routes.ts';
import { templateRoutes } from './features/templates/templates.routes.ts';
import { trashRoutes } from './features/trash/trash.routes.ts';
import { userExportRoutes } from './features/users/users.export.routes.ts';
import { userImportRoutes } from './features/users/users.import.routes.ts';
import { userRoutes } from './features/users/users.routes.ts';
import { userSecurityRoutes } from './features/users/users.security.routes.ts';
import { userSiteRoutes } from './features/users/users.sites.routes.ts';
import { createBinder } from './http/bind.ts';
import { installBodyTimeouts } from './http/body-timeouts.ts';
import { errorPageRecorder } from './http/error-pages.ts';
import { answerFrameworkErrors, installErrors } from './http/errors.ts';
import { installHeaders } from './http/headers.ts';
import { installObservation } from './http/observe.ts';
import { answerClientErrors, installProtocolErrors } from './http/protocol-errors.ts';
import { installStaticFiles, toRoutable } from './http/static-files.ts';
import type { Parts } from './parts.ts';

/** Builds the server: first the hooks and handlers that apply to every request, then the routes of every feature. */
export const buildApp = async (parts: Parts): Promise<FastifyInstance> => {
  const log: FastifyBaseLogger = parts.log;
  const app: FastifyInstance = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: parts.config.trustedProxies.length > 0 ? parts.config.trustedProxies : false,
    frameworkErrors: answerFrameworkErrors(parts.config),
    clientErrorHandler: answerClientErrors(parts.config),
    return503OnClosing: false,
    rewriteUrl: toRoutable,
    bodyLimit: 64 * 1024,
    forceCloseConnections: 'idle',
    keepAliveTimeout: 72_000,
    routerOptions: { maxParamLength: 4_000, ignoreTrailingSlash: false },
    http: { headersTimeout: 10_000, requireHostHeader: false },
  });
  await app.register(cookie);
  await app.register(formbody);
  installHeaders(app, parts.config);
  installErrors(app, errorPageRecorder(parts.exchanges));
  installProtocolErrors(app);
  installBodyTimeouts(app);
  installObservation(app, parts);
  await installStaticFiles(app);

  const { bind, bindUpload, bindDownload, bindStream, assertComplete } = createBinder(app, parts);
  sessionRoutes(bind, parts);
  networkRoutes(bind, parts);
  desktopRoutes(bind, parts);
  activationRoutes(bind, parts);
  siteRoutes(bind, parts);
  siteAttributeRoutes(bind, parts);
  siteClaimRoutes(bind, parts);
  oidcKeyRoutes(bind, parts);
  siteMetadataRoutes(bind, bindUpload, parts);
  siteOidcRoutes(bind, parts);
  siteHealthRoutes(bind, parts);
  siteMaintenanceRoutes(bind, parts);
  siteMfaRoutes(bind, parts);
  siteOverviewRoutes(bind, parts);
  diagnosisRoutes(bind, parts);
  siteTestRoutes(bind, parts);
  gettingStartedRoutes(bind, parts);
  groupRoutes(bind, parts);
  groupMemberRoutes(bind, parts);
  groupEntryRoutes(bind, parts);
  groupSiteRoutes(bind, parts);
  ownerRoutes(bind, parts);
  overviewRoutes(bind, parts);
  auditRoutes(bind, parts);
  auditRecordRoutes(bind, bindDownload, parts);
  trashRoutes(bind, parts);
  userRoutes(bind, parts);
  userSecurityRoutes(bind, parts);
  userSiteRoutes(bind, parts);
  userGroupRoutes(bind, parts);
  userImportRoutes(bind, parts);
  userExportRoutes(bindDownload, parts);
  userActivityRoutes(bind, parts);
  timelineRoutes(bind, parts);
  accessCheckRoutes(bind, parts);
  activityRoutes(bind, parts);
  activityExportRoutes(bindDownload, parts);
  activityLiveRoutes(bindStream, parts);
  settingsRoutes(bind, parts);
  signingKeyRoutes(bind, parts);
  mediaRoutes(bind, bindUpload, parts);
  iconRoutes(bind, parts);
  templateRoutes(bind, parts);
  profileRoutes(bind, bindUpload, parts);
  profileNetworkRoutes(bind, parts);
  mfaRoutes(bind, parts);
  passkeyRoutes(bind, parts);
  aboutRoutes(bind);
  embeddedRoutes(bind, parts);
  assertComplete();

  mediaFileRoutes(app, parts);
  profilePictureFileRoutes(app, parts);
  sessionLoginRoutes(app, parts);
  sessionLogoutRoutes(app, parts);
  const socialLoginSteps = signInRoutes(app, parts, createTestExplainer(parts));
  socialRoutes(app, parts, socialLoginSteps);
  referenceRoutes(app, parts);
  healthRoutes(app, parts);
  // The last requests have been answered by then.
  app.addHook('onClose', () => parts.exchanges.stop());
  return app;
};
