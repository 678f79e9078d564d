import type { Destination } from '../destination/destinations.queries.ts';
import { closedMessage } from './maintenance.ts';
import type { CheckedAccount } from './site-accounts.queries.ts';

/**
 * Why an account may not sign in. `reason` goes to the login log. `page` is what the person reads; there is none if it would tell
 * something about the account to a stranger who has guessed the password.
 */
export type Refusal = { reason: string; page?: { title: string; message: string } };

/** An account that is to sign in to a site. */
export type Candidate = { user: CheckedAccount; destination: Pick<Destination, 'site'> };

/** Returns why a candidate is refused, or undefined if this check has no objection. */
type Check = (candidate: Candidate) => Refusal | undefined;

/** A check with the name by which the explanation of an access decision refers to it. */
type NamedCheck = { id: string; check: Check };

const refuseUnconfirmed: Check = ({ user }) =>
  user.status === 'Confirmed' ? undefined : { reason: 'account not confirmed' };

const refuseDisabled: Check = ({ user }) => (user.mode === 'Active' ? undefined : { reason: 'account disabled' });

const refuseInactive: Check = ({ user }) => (user.isInactive ? { reason: 'account not used for too long' } : undefined);

/** The reason in the login log for an authenticated person who is not a member of the network. */
export const notMember = 'not a member of the network';

/** The reason in the login log for a login type that the site does not offer any more. */
export const notOffered = 'login type not offered';

const refuseNonMember: Check = ({ user, destination: { site } }) =>
  user.isMember ? undefined : { reason: notMember, page: noAccess(site.site_name) };

const refuseDisabledInNetwork: Check = ({ user, destination: { site } }) =>
  user.isBlocked ? { reason: 'disabled in the network', page: noAccess(site.site_name) } : undefined;

const refuseDisabledSite: Check = ({ destination: { site } }) =>
  site.status === 'Active'
    ? undefined
    : {
        reason: 'site disabled',
        page: {
          title: `${site.site_name} is switched off`,
          message: 'Its administrators have switched it off. Ask them when it will be back.',
        },
      };

/** Owners and testers may sign in to a closed site, to check it before it is opened. */
const refuseClosedSite: Check = ({ user, destination: { site } }) =>
  site.site_mode === 'Open' || user.isOwner || user.isTester
    ? undefined
    : {
        reason: 'site closed',
        page: {
          title: `${site.site_name} is closed`,
          message: closedMessage(site),
        },
      };

const refuseOutsideGroups: Check = ({ user, destination: { site } }) =>
  user.isInGroup ? undefined : { reason: 'not in a group of the site', page: noAccess(site.site_name) };

const noAccess = (site: string) => ({
  title: `You don't have access to ${site}`,
  message: 'Your account works, but it has no access to this application. Please ask your administrator.',
});

/** Whether a person is not a member of the network whose login log would get the line. The console's log belongs to the installation. */
export const isNonMember = ({ user, destination: { site } }: Candidate): boolean =>
  !user.isMember && site.kind !== 'console';

const accountChecks = [
  { id: 'confirmed', check: refuseUnconfirmed },
  { id: 'active', check: refuseDisabled },
  { id: 'in_use', check: refuseInactive },
] as const satisfies readonly NamedCheck[];

const siteChecks = [
  { id: 'member', check: refuseNonMember },
  { id: 'unblocked', check: refuseDisabledInNetwork },
  { id: 'site_status', check: refuseDisabledSite },
  { id: 'site_mode', check: refuseClosedSite },
  { id: 'groups', check: refuseOutsideGroups },
] as const satisfies readonly NamedCheck[];

export type AccountCheckId = (typeof accountChecks)[number]['id'];
export type SiteCheckId = (typeof siteChecks)[number]['id'];

/** Why an account may not sign in anywhere. These checks come first, before anything about the site is disclosed. */
export const findAccountRefusal = (candidate: Candidate): Refusal | undefined => findRefusal(accountChecks, candidate);

/** Why an account may not enter this site. */
export const findSiteRefusal = (candidate: Candidate): Refusal | undefined => findRefusal(siteChecks, candidate);

const findRefusal = (checks: readonly NamedCheck[], candidate: Candidate): Refusal | undefined => {
  for (const { check } of checks) {
    const refusal = check(candidate);
    if (refusal) return refusal;
  }
  return undefined;
};

/** The results of all checks of an account. A sign-in stops at the first refusal; an explanation shows every one. */
export const runAccountChecks = (candidate: Candidate): { id: AccountCheckId; isRefused: boolean }[] =>
  accountChecks.map(({ id, check }) => ({ id, isRefused: check(candidate) !== undefined }));

/** The results of all checks of an account at a site. */
export const runSiteChecks = (candidate: Candidate): { id: SiteCheckId; isRefused: boolean }[] =>
  siteChecks.map(({ id, check }) => ({ id, isRefused: check(candidate) !== undefined }));
