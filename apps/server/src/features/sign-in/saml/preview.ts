import type { AttributesPreview } from '@opensocial/contract';
import { buildUnsignedAssertion } from '@opensocial/saml';
import type { Parts } from '../../../parts.ts';
import { findAccountRefusal, findSiteRefusal } from '../accounts/checks.ts';
import { ownLogin } from '../accounts/login-types.ts';
import { findSiteAccountById } from '../accounts/site-accounts.queries.ts';
import { type Destination, findSiteById } from '../destination/destinations.queries.ts';
import { toAssertionContent } from './assertion-content.ts';
import { chooseRelease } from './release.ts';

/** The columns of a site that decide what it learns about people. */
type ReleaseColumns = Pick<
  Destination['site'],
  'name_id_format' | 'name_id_source' | 'attributes' | 'attribute_index' | 'further_attributes'
>;

type PreviewRequest = {
  siteId: number;
  userId: number;
  /** The index of the list of attributes that the request asks for. */
  index: number | undefined;
  columns: ReleaseColumns;
};

/** A preview is issued at the beginning of 1970, so that it has expired, and has these ids instead of random ones. */
const previewInstant = new Date(0);
const previewId = '_preview';

/**
 * The assertion that a site would get about a person with other settings, for a request that asks for no NameID format. It comes from the
 * functions of a sign-on, but is neither signed nor valid at any present time. Undefined if there is no such site or person.
 */
export const previewAssertion = async (
  parts: Parts,
  { siteId, userId, index, columns }: PreviewRequest,
): Promise<AttributesPreview | undefined> => {
  const stored = await findSiteById(parts.db, siteId);
  const user = stored && (await findSiteAccountById(parts.db, stored, userId));
  if (!stored || !user?.isMember) return undefined;
  const destination = { ...stored, site: { ...stored.site, ...columns } };
  const candidate = { user, destination };
  const refusal = findAccountRefusal(candidate) ?? findSiteRefusal(candidate);
  if (refusal) return refused(refusal.reason);
  const release = chooseRelease(destination.site, { nameIdFormat: undefined, attributeIndex: index });
  if (typeof release === 'string') return refused('the site has no list of attributes with this index');
  const content = toAssertionContent(
    parts,
    {
      destination,
      user,
      message: { acsUrl: destination.site.acs, requestId: undefined },
      session: { authenticated_at: previewInstant, session_index: previewId, login_from: ownLogin },
    },
    release,
  );
  const { nameId, attributes } = content;
  return {
    refusal: null,
    assertion: {
      name_id: { value: nameId.value, format: nameId.format },
      attributes: attributes.map(({ name, nameFormat = 'basic', friendlyName = '', values }) => ({
        name,
        name_format: nameFormat,
        friendly_name: friendlyName,
        values: [...values],
      })),
      xml: buildUnsignedAssertion({ ...content, assertionId: previewId, issueInstant: previewInstant }),
    },
  };
};

const refused = (reason: string): AttributesPreview => ({ refusal: reason, assertion: null });
