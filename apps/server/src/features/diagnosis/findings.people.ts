import type { FindingCode } from '@opensocial/contract';
import { type Explain, shortName, untilSuccess } from './finding.ts';

const factorNames: Record<string, string> = {
  passkey: 'passkey',
  totp: 'authenticator app',
  setup: 'authenticator app, which has to be set up first',
  email: 'code by email',
  recovery: 'recovery code',
  device: 'trusted browser',
};

const nameOf = (factor: string): string => factorNames[factor] ?? factor;

const explainFactor: Explain = (exchange) => {
  const { acceptedFactors = [], proven } = exchange.facts;
  const isWaiting = exchange.outcome === 'waiting';
  return {
    sentence: isWaiting
      ? 'The person was asked for a second factor, and has not entered it yet.'
      : 'The application asked for a response without a page, but the person had to prove a second factor.',
    advice: isWaiting
      ? 'The second factor is required by the site, by the network or by the person. If the person has lost it, reset it in the details of the person.'
      : 'The application has to send the person to the sign-in page, or the second factor must not be required for this site.',
    compared: [
      {
        label: 'Second factor',
        received: proven === undefined ? 'None' : nameOf(proven),
        registered: acceptedFactors.map(nameOf).join(', ') || 'None that the person has',
      },
    ],
    isCurrent: untilSuccess(exchange),
    place: 'details',
  };
};

const explainWeak: Explain = (exchange) => {
  const { contexts = [], proven } = exchange.facts;
  const asked = contexts.map(shortName).join(', ');
  return {
    sentence: `The application asked for a stronger sign-in${asked && ` (${asked})`} than the person has proven.`,
    advice:
      'The person needs an authenticator app or a passkey. If the application does not need a second factor, change the authentication context in its settings.',
    compared: [
      {
        label: 'Authentication',
        received: contexts.join('\n'),
        registered: proven === undefined ? 'Without a second factor' : `With ${nameOf(proven)}`,
      },
    ],
    isCurrent: untilSuccess(exchange),
    place: 'none',
  };
};

const explainOtherPerson: Explain = (exchange) => ({
  sentence: 'The application asked for a certain person, but somebody else is signed in.',
  advice: 'The person has to sign out first, or the application must not name a person.',
  compared: [],
  isCurrent: untilSuccess(exchange),
  place: 'none',
});

const explainMember: Explain = (exchange) => ({
  sentence: 'A person who is not a member of this network wanted to sign in.',
  advice: 'Invite the person to the network if they should have access.',
  compared: [],
  isCurrent: untilSuccess(exchange),
  place: 'none',
});

const explainDisabledPerson: Explain = ({ person }) => ({
  sentence: `The person ${person?.isBlocked ? 'is' : 'was'} disabled or not confirmed in this network.`,
  advice: person?.isBlocked ? 'Enable the person in the list of users if they should have access.' : '',
  compared: [],
  isCurrent: person?.isBlocked ?? false,
  place: 'none',
});

const explainDisabledSite: Explain = ({ site }) => ({
  sentence:
    site.status === 'Active'
      ? 'The site was disabled, so nobody could sign in to it.'
      : 'The site is disabled, so nobody can sign in to it.',
  advice: site.status === 'Active' ? '' : 'Enable the site in its details.',
  compared: [
    { label: 'Status of the site', received: '', registered: site.status === 'Active' ? 'Active' : 'Disabled' },
  ],
  isCurrent: site.status !== 'Active',
  place: 'details',
});

const explainClosedSite: Explain = ({ site }) => ({
  sentence:
    site.site_mode === 'Open'
      ? 'The site was closed: only owners of the network could sign in to it.'
      : 'The site is closed: only owners of the network can sign in to it.',
  advice: site.site_mode === 'Open' ? '' : 'Open the site in its details.',
  compared: [{ label: 'Mode of the site', received: '', registered: site.site_mode }],
  isCurrent: site.site_mode !== 'Open',
  place: 'details',
});

const explainGroup: Explain = ({ person }) => {
  const hasJoined = person?.isInGroup ?? false;
  return {
    sentence: `The person ${hasJoined ? 'was' : 'is'} in none of the groups to which the site ${hasJoined ? 'was' : 'is'} assigned.`,
    advice: hasJoined
      ? ''
      : 'Add the person to one of the groups of the site, or assign the site to a group of the person.',
    compared: [],
    isCurrent: person !== undefined && !person.isInGroup,
    place: 'groups',
  };
};

const explainLogin: Explain = (exchange) => ({
  sentence: 'The person signed in with a login type that the site does not offer any more.',
  advice: 'Choose the login types of the site in its details.',
  compared: [],
  isCurrent: untilSuccess(exchange),
  place: 'details',
});

const explainSuccess: Explain = ({ facts }) => ({
  sentence:
    facts.grantType === undefined
      ? `The person was signed in, and the response was sent to ${facts.acs ?? facts.redirectUri ?? 'the application'}.`
      : 'The application got its tokens.',
  compared: [],
  isCurrent: false,
});

export const peopleFindings = {
  authentication_weak: explainWeak,
  factor_missing: explainFactor,
  other_person: explainOtherPerson,
  not_member: explainMember,
  person_disabled: explainDisabledPerson,
  site_disabled: explainDisabledSite,
  site_closed: explainClosedSite,
  not_in_group: explainGroup,
  login_not_offered: explainLogin,
  signed_in: explainSuccess,
} as const satisfies Partial<Record<FindingCode, Explain>>;
