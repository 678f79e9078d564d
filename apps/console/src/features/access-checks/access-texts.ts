import type { AccessCheck, AccessOutcome, AccessStepId, AccessTarget, AccessVerdict } from '@opensocial/contract';
import {
  toSettings,
  toSiteDetails,
  toSiteGroups,
  toUserDesktop,
  toUserDetails,
  toUserGroups,
} from '../../api/links/panel-links.ts';

export const stepTitles: Readonly<Record<AccessStepId, string>> = {
  invitation: 'Invitation',
  login: 'Login type',
  lock: 'Failed attempts',
  confirmed: 'Account confirmed',
  active: 'Account active',
  in_use: 'Inactivity',
  factor: 'Second factor',
  password: 'Password age',
  member: 'Membership',
  unblocked: 'State in the network',
  site_status: 'Site status',
  site_mode: 'Site mode',
  groups: 'Groups',
};

export const outcomeNames = { yes: 'Yes', no: 'No', note: 'Note' } as const satisfies Record<AccessOutcome, string>;
export const outcomeTones = { yes: 'good', no: 'bad', note: 'quiet' } as const satisfies Record<AccessOutcome, string>;

export const verdictNames = { yes: 'May enter', no: 'Cannot enter', conditional: 'Depends' } as const satisfies Record<
  AccessVerdict,
  string
>;
export const verdictTones = { yes: 'good', no: 'bad', conditional: 'warn' } as const satisfies Record<
  AccessVerdict,
  string
>;

type ChangeLink = { label: string; to: string };

/** The screen on which a step can be changed. */
export const changeLink = (target: AccessTarget, network: string, { user, site }: AccessCheck): ChangeLink => {
  const links: Record<AccessTarget, ChangeLink> = {
    user: { label: 'User Details', to: toUserDetails(network, user.id) },
    user_groups: { label: 'Groups of the user', to: toUserGroups(network, user.id) },
    site: { label: 'Site Details', to: toSiteDetails(network, site) },
    site_groups: { label: 'Groups of the site', to: toSiteGroups(network, site) },
    settings: { label: 'Server Settings', to: toSettings(network) },
    desktop: { label: 'User Desktop', to: toUserDesktop(network) },
  };
  return links[target];
};
