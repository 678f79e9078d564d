import type { Destination } from './destinations.queries.ts';
import type { Standing } from './identity.queries.ts';

/**
 * Why an account may not sign in. `reason` goes to the log; `told` is what the person reads: of their own account
 * nothing that a stranger with a guessed password could learn from, of the site the truth.
 */
export type Refusal = { reason: string; told: 'nothing' | { title: string; message: string } };

export type Attempt = { user: Standing; destination: Destination };

type Step = (attempt: Attempt) => Refusal | undefined;

const isConfirmed: Step = ({ user }) =>
  user.status === 'Confirmed' ? undefined : { reason: 'account not confirmed', told: 'nothing' };

const isActive: Step = ({ user }) =>
  user.mode === 'Active' ? undefined : { reason: 'account disabled', told: 'nothing' };

const isInUse: Step = ({ user }) =>
  user.isInactive ? { reason: 'account not used for too long', told: 'nothing' } : undefined;

/** The reason in the log for somebody who has proved who they are and does not belong to the network. */
export const notMember = 'not a member of the network';

/** The reason in the log for a login type that the site has stopped offering. */
export const notOffered = 'login type not offered';

const isMember: Step = ({ user, destination: { site } }) =>
  user.isMember ? undefined : { reason: notMember, told: noAccess(site.site_name) };

const isAllowedInNetwork: Step = ({ user, destination: { site } }) =>
  user.isShutOut ? { reason: 'disabled in the network', told: noAccess(site.site_name) } : undefined;

const siteIsActive: Step = ({ destination: { site } }) =>
  site.status === 'Active'
    ? undefined
    : {
        reason: 'site disabled',
        told: {
          title: `${site.site_name} is switched off`,
          message: 'Its administrators have switched it off. Ask them when it will be back.',
        },
      };

/** An owner may pass a closed door, to see whether it can be opened. */
const siteIsOpen: Step = ({ user, destination: { site } }) =>
  site.site_mode === 'Open' || user.isOwner
    ? undefined
    : {
        reason: 'site closed',
        told: {
          title: `${site.site_name} is closed`,
          message: site.closed_message || 'It is closed for now. Please try again later.',
        },
      };

const isInGroup: Step = ({ user, destination: { site } }) =>
  user.isInGroup ? undefined : { reason: 'not in a group of the site', told: noAccess(site.site_name) };

const noAccess = (site: string) => ({
  title: `You don't have access to ${site}`,
  message: 'Your account is fine, but it has not been given this application. Please ask your administrator for it.',
});

/** Somebody who does not belong to the network whose log would have the line. The console's log is the installation's own. */
export const isStranger = ({ user, destination: { site } }: Attempt): boolean =>
  !user.isMember && site.kind !== 'console';

/** May you sign in at all: asked before anything is said about the site. */
export const mayYou: readonly Step[] = [isConfirmed, isActive, isInUse];

/** May you enter here. */
export const mayYouHere: readonly Step[] = [isMember, isAllowedInNetwork, siteIsActive, siteIsOpen, isInGroup];

export const firstRefusal = (steps: readonly Step[], attempt: Attempt): Refusal | undefined => {
  for (const step of steps) {
    const refusal = step(attempt);
    if (refusal) return refusal;
  }
  return undefined;
};
