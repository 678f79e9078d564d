import { z } from 'zod';
import type { SignOnProtocol } from '../flow/sign-on-protocol.ts';
import type { SignOnRefusal } from '../flow/sign-on-request.ts';
import { oidcAddresses } from './addresses.ts';
import { storeResult } from './artifacts.queries.ts';
import { factorsFor } from './authentication.ts';

const Requested = z.object({
  interaction: z.string(),
  acr: z.object({ values: z.array(z.string()), isEssential: z.boolean() }),
  loginHint: z.string().optional(),
});

/** The codes of OpenID Connect for the refusals that its requests can get. */
const errors: Partial<Record<SignOnRefusal, string>> = {
  not_signed_in: 'login_required',
  weak_authentication: 'unmet_authentication_requirements',
};

/**
 * Both answers go through the library, which keeps the request: its outcome is stored, and the browser returns to the library, which
 * checks the session again and sends the person to the site.
 */
export const oidcProtocol: SignOnProtocol<'oidc'> = {
  sendSuccess: async ({ db, config }, reply, { signOn, identity, method }) => {
    const { network } = signOn.destination;
    const result = { signedIn: { session: identity.session.id, method } };
    await storeResult(db, network.id, signOn.message.interaction, result);
    return reply.redirect(`${oidcAddresses(config, network.name).authorization}/${signOn.message.interaction}`, 303);
  },
  sendRefusal: async ({ db, config }, reply, { destination: { network }, message, refusal }) => {
    await storeResult(db, network.id, message.interaction, { error: errors[refusal] ?? 'access_denied' });
    return reply.redirect(`${oidcAddresses(config, network.name).authorization}/${message.interaction}`, 303);
  },
  toColumns: ({ interaction, acr, loginHint }) => ({
    request_id: null,
    name_id_format: null,
    relay_state: null,
    requested: { interaction, acr, loginHint },
  }),
  fromColumns: ({ requested }) => {
    const { interaction, acr, loginHint } = Requested.parse(requested);
    return { message: { protocol: 'oidc', interaction, acr, loginHint }, requiredFactors: factorsFor(acr) };
  },
};
