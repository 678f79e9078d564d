import * as about from './about/about.calls.ts';
import * as accessChecks from './access-checks/access-checks.calls.ts';
import * as activation from './activation/activation.calls.ts';
import * as activity from './activity/activity.calls.ts';
import * as timeline from './activity/activity.timeline.calls.ts';
import * as audit from './audit/audit.calls.ts';
import type { AnyCall } from './call.ts';
import * as desktop from './desktop/desktop.calls.ts';
import * as diagnosis from './diagnosis/diagnosis.calls.ts';
import * as embedded from './embedded/embedded.calls.ts';
import * as gettingStarted from './getting-started/getting-started.calls.ts';
import * as groups from './groups/groups.calls.ts';
import * as icons from './icons/icons.calls.ts';
import * as media from './media/media.calls.ts';
import * as mfa from './mfa/mfa.calls.ts';
import * as networks from './networks/networks.calls.ts';
import * as overview from './overview/overview.calls.ts';
import * as owners from './owners/owners.calls.ts';
import * as passkeys from './passkeys/passkeys.calls.ts';
import * as profile from './profile/profile.calls.ts';
import * as session from './session/session.calls.ts';
import * as settings from './settings/settings.calls.ts';
import * as signingKeys from './signing-keys/signing-keys.calls.ts';
import * as siteTests from './site-tests/site-tests.calls.ts';
import * as siteAttributes from './sites/sites.attributes.calls.ts';
import * as sites from './sites/sites.calls.ts';
import * as siteHealth from './sites/sites.health.calls.ts';
import * as siteMaintenance from './sites/sites.maintenance.calls.ts';
import * as siteMfa from './sites/sites.mfa.calls.ts';
import * as siteOidc from './sites/sites.oidc.calls.ts';
import * as siteOverview from './sites/sites.overview.calls.ts';
import * as siteRefresh from './sites/sites.refresh.calls.ts';
import * as templates from './templates/templates.calls.ts';
import * as trash from './trash/trash.calls.ts';
import * as users from './users/users.calls.ts';

/**
 * Every call, grouped by noun. The server must bind all of them, the API reference lists them, and the access test
 * tries each.
 */
export const callsByNoun: Record<string, Record<string, AnyCall>> = {
  session,
  networks,
  overview,
  desktop,
  media,
  icons,
  sites: {
    ...sites,
    ...siteAttributes,
    ...siteHealth,
    ...siteMaintenance,
    ...siteOidc,
    ...siteMfa,
    ...siteOverview,
    ...siteRefresh,
  },
  diagnosis,
  siteTests,
  gettingStarted,
  groups,
  users,
  accessChecks,
  owners,
  settings,
  signingKeys,
  templates,
  audit,
  trash,
  activity: { ...activity, ...timeline },
  activation,
  profile,
  mfa,
  passkeys,
  about,
  embedded,
};
