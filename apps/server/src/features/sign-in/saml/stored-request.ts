import { acceptedRelayState, comparisons, nameIdFormats } from '@opensocial/saml';
import { z } from 'zod';
import type { SignIn } from '../flow/sign-ins.queries.ts';
import type { SamlRequest } from '../flow/sign-on-request.ts';

const Requested = z.object({
  authnContext: z.object({ comparison: z.enum(comparisons), classes: z.array(z.string()) }).optional(),
  subject: z.object({ nameId: z.string(), nameIdFormat: z.string().optional() }).optional(),
});

type StoredColumns = Pick<SignIn, 'request_id' | 'name_id_format' | 'relay_state' | 'requested'>;

/** The columns of a sign-in in progress that keep its SAML request. */
export const toColumns = ({
  requestId,
  nameIdFormat,
  relayState,
  authnContext,
  subject,
}: SamlRequest): StoredColumns => ({
  request_id: requestId ?? null,
  name_id_format: nameIdFormat,
  relay_state: relayState ?? null,
  requested: authnContext || subject ? { authnContext, subject } : null,
});

export const fromColumns = (signIn: StoredColumns): SamlRequest => {
  const { authnContext, subject } = Requested.parse(signIn.requested ?? {});
  return {
    protocol: 'saml',
    requestId: signIn.request_id ?? undefined,
    nameIdFormat: signIn.name_id_format ?? nameIdFormats.emailAddress,
    relayState: acceptedRelayState(signIn.relay_state ?? undefined),
    authnContext,
    subject: subject && { nameId: subject.nameId, nameIdFormat: subject.nameIdFormat },
  };
};
