import { apache } from './apache.ts';
import type { Application } from './application.ts';
import { argoCd } from './argo-cd.ts';
import { gitea } from './gitea.ts';
import { gitlab } from './gitlab.ts';
import { grafana } from './grafana.ts';
import { jenkins } from './jenkins.ts';
import { kubernetes } from './kubernetes.ts';
import { nextcloud } from './nextcloud.ts';
import { oauth2Proxy } from './oauth2-proxy.ts';
import { openWebUi } from './open-webui.ts';
import { outline } from './outline.ts';
import { portainer } from './portainer.ts';
import { proxmox } from './proxmox.ts';
import { synapse } from './synapse.ts';
import { vault } from './vault.ts';

/** The applications with a ready-made configuration, by name. */
export const applications: readonly Application[] = [
  grafana,
  gitlab,
  nextcloud,
  gitea,
  argoCd,
  oauth2Proxy,
  apache,
  jenkins,
  portainer,
  openWebUi,
  outline,
  synapse,
  vault,
  kubernetes,
  proxmox,
].toSorted((one, other) => one.name.localeCompare(other.name));
