import { type AccessCheck, type AccessStep, ApiError, type NetworkMode } from '@opensocial/contract';
import type { Parts } from '../../parts.ts';
import { decideSignIn } from '../sign-in/sign-in.service.ts';
import { reachOf } from '../users/users.accounts.service.ts';
import { findMember } from '../users/users.service.ts';
import { explainTile } from './access-checks.desktop.service.ts';
import { findSiteGroups } from './access-checks.queries.ts';
import { type AccessFacts, accountSteps, invitationSteps, membershipSteps, nameOf } from './access-steps.ts';

/** The groups of a site that a sentence names. */
const namedGroups = 8;

type Network = { id: number; name: string; mode: NetworkMode };

const stepsFor = { invitation: invitationSteps, membership: membershipSteps, account: accountSteps };

/**
 * Explains whether a person may enter a site. The steps come from the functions that decide a sign-in. What an owner may learn about the
 * person is decided as for the user panel, by how far the owner's decisions about the account reach.
 */
export const explainAccess = async (
  parts: Parts,
  network: Network,
  { siteId, userId }: { siteId: number; userId: number },
): Promise<AccessCheck> => {
  const { db } = parts;
  const [decision, member] = [await decideSignIn(parts, { siteId, userId }), await findMember(db, network.id, userId)];
  if (!decision || !member) throw new ApiError('not_found');
  const reach = await reachOf(db, { network }, member);
  const facts = { decision, member, network, siteGroups: await findSiteGroups(db, siteId, namedGroups) };
  const steps = stepsFor[reach](facts);
  const isCertain = reach === 'account' && decision.isProofCertain;
  const { id, site_name, domain } = decision.destination.site;
  return {
    user: { id: member.id, fullname: member.fullname, email: member.email },
    site: { id, site_name, domain },
    ...verdictOf(facts, steps, { isCertain, isHidden: reach === 'membership' }),
    steps,
    tile: await explainTile(db, network, facts),
  };
};

const verdictOf = (
  { decision, member, network }: AccessFacts,
  steps: readonly AccessStep[],
  { isCertain, isHidden }: { isCertain: boolean; isHidden: boolean },
): Pick<AccessCheck, 'verdict' | 'text' | 'refused_at'> => {
  const [name, site] = [nameOf(member), decision.destination.site.site_name];
  const refused = steps.find(({ outcome }) => outcome === 'no');
  if (refused) return { verdict: 'no', text: `${name} cannot enter ${site}. ${refused.text}`, refused_at: refused.id };
  if (isCertain) return { verdict: 'yes', text: `${name} may enter ${site}.`, refused_at: null };
  const condition = isHidden
    ? `The ways to sign in and the second factors of ${name} are not shown here, because ${name} belongs to other networks too.`
    : `It depends on whether the sign-in service confirms the address ${member.email}.`;
  return {
    verdict: 'conditional',
    text: `Nothing in ${network.name} stops ${name} from entering ${site}. ${condition}`,
    refused_at: null,
  };
};
