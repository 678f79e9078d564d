import type { Attribute, ClaimsPreview } from '@opensocial/contract';
import { z } from 'zod';
import type { Parts } from '../../../parts.ts';
import { findAccountRefusal, findSiteRefusal } from '../accounts/checks.ts';
import { findSiteAccountById } from '../accounts/site-accounts.queries.ts';
import { findSiteById } from '../destination/destinations.queries.ts';
import { oidcAddresses } from './addresses.ts';
import { scopeOf, toClaims } from './claims.ts';

type PreviewRequest = { siteId: number; userId: number; attributes: Attribute[] | null };

/** A preview is issued at the beginning of 1970 and has expired. */
const previewTime = 0;

/**
 * The claims that a site would get about a person with another list. They come from the function of a sign-on. Undefined if there is no such
 * site or person.
 */
export const previewClaims = async (
  parts: Parts,
  { siteId, userId, attributes }: PreviewRequest,
): Promise<ClaimsPreview | undefined> => {
  const stored = await findSiteById(parts.db, siteId);
  const user = stored && (await findSiteAccountById(parts.db, stored, userId));
  if (!stored || !user?.isMember) return undefined;
  const destination = { ...stored, site: { ...stored.site, attributes } };
  const candidate = { user, destination };
  const refusal = findAccountRefusal(candidate) ?? findSiteRefusal(candidate);
  if (refusal) return { refusal: refusal.reason, claims: [], id_token: '' };
  const claims = z.record(z.string(), z.json()).parse(toClaims(parts, destination, user));
  const { issuer } = oidcAddresses(parts.config, stored.network.name);
  const token = { iss: issuer, aud: stored.site.identity, iat: previewTime, exp: previewTime, ...claims };
  return {
    refusal: null,
    claims: Object.entries(claims).map(([name, value]) => ({ name, scope: scopeOf(name), value })),
    id_token: JSON.stringify(token, undefined, 2),
  };
};
