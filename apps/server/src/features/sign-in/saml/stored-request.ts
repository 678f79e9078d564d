import { acceptedRelayState, comparisons } from '@opensocial/saml';
import { z } from 'zod';
import type { Destination } from '../destination/destinations.queries.ts';
import type { StoredRequest } from '../flow/sign-on-protocol.ts';
import type { SamlRequest } from '../flow/sign-on-request.ts';
import { isRegisteredAcs } from './sign-on-request.ts';

const Requested = z.object({
  acsUrl: z.string().optional(),
  attributeIndex: z.int().optional(),
  authnContext: z.object({ comparison: z.enum(comparisons), classes: z.array(z.string()) }).optional(),
  subject: z.object({ nameId: z.string(), nameIdFormat: z.string().optional() }).optional(),
});

/** The columns of a sign-in in progress that keep its SAML request. */
export const toColumns = ({
  requestId,
  nameIdFormat,
  attributeIndex,
  relayState,
  acsUrl,
  authnContext,
  subject,
}: SamlRequest): StoredRequest => ({
  request_id: requestId ?? null,
  name_id_format: nameIdFormat ?? null,
  relay_state: relayState ?? null,
  requested: { acsUrl, attributeIndex, authnContext, subject },
});

/** A sign-in of an older server, and one for an address that was removed since, goes to the default address of the site. */
export const fromColumns = (signIn: StoredRequest, { site }: Destination): SamlRequest => {
  const { acsUrl = site.acs, attributeIndex, authnContext, subject } = Requested.parse(signIn.requested ?? {});
  return {
    protocol: 'saml',
    requestId: signIn.request_id ?? undefined,
    acsUrl: isRegisteredAcs(site, acsUrl) ? acsUrl : site.acs,
    nameIdFormat: signIn.name_id_format ?? undefined,
    attributeIndex,
    relayState: acceptedRelayState(signIn.relay_state ?? undefined),
    authnContext,
    subject: subject && { nameId: subject.nameId, nameIdFormat: subject.nameIdFormat },
  };
};
