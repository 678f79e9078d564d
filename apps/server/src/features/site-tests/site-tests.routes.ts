import { ApiError, beginSiteTest, getSiteTest, type SiteTest } from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import { dropOldestCookies, setCookie } from '../../http/cookies.ts';
import type { Parts } from '../../parts.ts';
import { newToken } from '../../secrets/tokens.ts';
import { watchSite } from '../diagnosis/diagnosis.service.ts';
import { findLastTest, idpAddresses, upsertTest } from '../sign-in/sign-in.service.ts';
import { hasTwoSignatures, oneSignatureOf, resultOf } from './results.ts';
import { findTestedSite } from './site-tests.queries.ts';

const minutes = 10;

/** The maximum number of sites that one browser may test at the same time. */
const maximumTests = 4;

/** Tests of the sign-in to a site, by an owner in the owner's own browser. */
export const siteTestRoutes = (bind: Bind, parts: Parts): void => {
  const { db, config } = parts;

  const readTest = async (network: string, siteId: number, userId: number): Promise<SiteTest | null> => {
    const [site, row] = [await findTestedSite(db, siteId), await findLastTest(db, { siteId, userId })];
    if (!site || !row) return null;
    const start =
      site.protocol === 'saml'
        ? idpAddresses(config, network).ssoUrl.replace(/sso$/, `start/${siteId}`)
        : `https://${site.domain}/`;
    return {
      protocol: site.protocol,
      ...resultOf(row, site),
      one_signature: oneSignatureOf(row, site),
      steps: row.steps,
      expires_at: row.expires_at.toISOString(),
      start_url: site.login_url || start,
    };
  };

  bind(beginSiteTest, async ({ params: { site_id: siteId }, query: { signs }, network, user, request, reply }) => {
    const token = newToken();
    const site = await findTestedSite(db, siteId);
    const tried = signs !== undefined && site && hasTwoSignatures(site) ? signs : null;
    await upsertTest(db, { siteId, userId: user.id, token, signs: tried }, minutes);
    // While a site is watched, every exchange is recorded, and the token endpoint looks for the test of a code.
    await watchSite(db, siteId);
    dropOldestCookies(config, request, reply, { prefix: 'test-', maximum: maximumTests });
    setCookie(config, reply, `test-${siteId}`, token, minutes * 60);
    const test = await readTest(network.name, siteId, user.id);
    if (!test) throw new ApiError('not_found');
    return test;
  });

  bind(getSiteTest, async ({ params, network, user }) => ({
    test: await readTest(network.name, params.site_id, user.id),
  }));
};
