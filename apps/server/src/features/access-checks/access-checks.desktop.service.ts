import { ApiError, type NetworkMode, type TileCheck, type ViewedDesktop } from '@opensocial/contract';
import type { Queryable } from '../../database/connect.ts';
import { actorOf, type Caller } from '../../http/actor.ts';
import type { Parts } from '../../parts.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { findDesktopOf, findTileOf, toApp } from '../desktop/desktop.service.ts';
import { findSiteRefusals, type SiteCheckId } from '../sign-in/sign-in.service.ts';
import { findMember, type Member } from '../users/users.service.ts';
import { getViewer } from './access-checks.queries.ts';
import { type AccessFacts, nameOf } from './access-steps.ts';

type Network = { id: number; name: string; mode: NetworkMode };

const modeTexts: Record<NetworkMode, string> = {
  AdminManaged: 'because the desktop shows the sites of the groups that a person is in, and sites without a group',
  All: 'because the desktop shows all sites',
  Visited: 'because the desktop shows the sites that a person has visited',
};

/** Whether the site is on the desktop of the person, by the conditions of the real desktop. */
export const explainTile = async (
  db: Queryable,
  network: Network,
  { decision, member }: AccessFacts,
): Promise<TileCheck> => {
  const [name, { site }] = [nameOf(member), decision.destination];
  const stopped = stoppedText(member, decision.user.isInactive);
  if (stopped !== undefined) return { shown: false, text: stopped, change_at: ['user'] };
  const viewer = { id: member.id, isOwner: decision.user.isOwner };
  const tile = await findTileOf(db, network, viewer, site.id);
  if (!tile?.isSwitchedOn)
    return { shown: false, text: `There is no tile, because ${site.site_name} is disabled.`, change_at: ['site'] };
  if (!tile.isPlaced)
    return {
      shown: false,
      text: `There is no tile, because ${site.site_name} was not put on the desktop of ${network.name}.`,
      change_at: ['desktop'],
    };
  const reason = viewer.isOwner ? 'because owners see all sites of the desktop' : modeTexts[network.mode];
  const text = tile.isShown
    ? `The tile is on the desktop of ${name}, ${reason}.`
    : `The tile is not on the desktop of ${name}, ${reason}.`;
  return { shown: tile.isShown, text, change_at: ['desktop'] };
};

/** Why a person cannot open the desktop, by the state that the user panel shows. An account is inactive only if this is its only network. */
const stoppedText = (member: Member, isInactive: boolean): string | undefined => {
  const name = nameOf(member);
  if (member.provisional) return `${name} has not accepted the invitation yet, and sees no desktop.`;
  if (member.status !== 'Confirmed') return `${name} is not confirmed, and sees no desktop.`;
  if (member.user_mode !== 'Active') return `${name} is disabled, and sees no desktop.`;
  return isInactive
    ? `The account of ${name} has not been used for a long time, so it cannot open the desktop.`
    : undefined;
};

const refusalTexts: Record<SiteCheckId, string> = {
  member: 'Not a member of the network.',
  unblocked: 'Disabled in the network.',
  site_status: 'The site is disabled.',
  site_mode: 'The site is closed.',
  groups: 'Not in a group of the site.',
};

/** The desktop of a network as one of its members sees it. Every view is recorded in the audit log. */
export const viewDesktopOf = async (
  parts: Parts,
  caller: Caller & { network: Network },
  userId: number,
): Promise<ViewedDesktop> => {
  const { db, config } = parts;
  const { network } = caller;
  const member = await findMember(db, network.id, userId);
  if (!member) throw new ApiError('not_found');
  await recordAudit(db, {
    ...actorOf(caller),
    action: 'view',
    object: 'user',
    subject: `user ${member.email} desktop`,
  });
  const user = { id: member.id, fullname: member.fullname, email: member.email };
  const { isOwner, isInactive } = await getViewer(db, network.id, member.id);
  const refusal = stoppedText(member, isInactive);
  if (refusal !== undefined) return { user, refusal, apps: [] };
  const shown = await findDesktopOf(db, network, { id: member.id, isOwner });
  const refusals = await findSiteRefusals(
    parts,
    member.id,
    shown.map(({ id }) => id),
  );
  const apps = shown.map((site) => {
    const refused = refusals.get(site.id);
    return { ...toApp(config, network)(site), refusal: refused ? refusalTexts[refused] : null };
  });
  return { user, refusal: null, apps };
};
