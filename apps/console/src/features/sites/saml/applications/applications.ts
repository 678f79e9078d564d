import type { SamlApplication } from './application.ts';
import { confluence, jira } from './atlassian.ts';
import { githubEnterprise } from './github-enterprise.ts';
import { googleWorkspace } from './google-workspace.ts';
import { mattermost } from './mattermost.ts';
import { mellon } from './mellon.ts';
import { moodle } from './moodle.ts';
import { nextcloudSaml } from './nextcloud.ts';
import { pysaml2 } from './pysaml2.ts';
import { rocketChat } from './rocket-chat.ts';
import { shibboleth } from './shibboleth.ts';
import { simpleSamlPhp } from './simplesamlphp.ts';
import { slack } from './slack.ts';
import { snipeIt } from './snipe-it.ts';
import { zabbix } from './zabbix.ts';
import { zoom } from './zoom.ts';
import { zulip } from './zulip.ts';

/** The applications with a ready-made configuration for SAML, by name. */
export const samlApplications: readonly SamlApplication[] = [
  mellon,
  confluence,
  githubEnterprise,
  googleWorkspace,
  jira,
  mattermost,
  moodle,
  nextcloudSaml,
  pysaml2,
  rocketChat,
  shibboleth,
  simpleSamlPhp,
  slack,
  snipeIt,
  zabbix,
  zoom,
  zulip,
];
