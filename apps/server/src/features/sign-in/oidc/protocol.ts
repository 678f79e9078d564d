import { renderLeaving } from '@opensocial/signin';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Config } from '../../../config.ts';
import { sendPage } from '../../../http/pages.ts';
import type { Destination } from '../destination/destinations.queries.ts';
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

const errors: Partial<Record<SignOnRefusal, string>> = {
  not_signed_in: 'login_required',
  other_person: 'login_required',
  weak_authentication: 'unmet_authentication_requirements',
};

/** The code of OpenID Connect for a refusal. */
export const errorOf = (refusal: SignOnRefusal): string => errors[refusal] ?? 'access_denied';

/**
 * Browsers apply the form-action of a page to the redirects that follow its form, and the library redirects to the site. So the answer
 * to a form is a page, with which a new navigation begins.
 */
const returnToLibrary = (
  config: Config,
  reply: FastifyReply,
  { network, site }: Destination,
  { interaction }: { interaction: string },
) => {
  const url = `${oidcAddresses(config, network.name).authorization}/${interaction}`;
  if (reply.request.method !== 'POST') return reply.redirect(url, 303);
  return sendPage(reply, renderLeaving({ label: site.site_name, url }));
};

/**
 * Both answers go through the library, which keeps the request: its outcome is stored, and the browser returns to the library, which
 * checks the session again and sends the person to the site.
 */
export const oidcProtocol: SignOnProtocol<'oidc'> = {
  sendSuccess: async ({ db, config }, reply, { signOn, identity, method }) => {
    const result = { signedIn: { session: identity.session.id, method } };
    await storeResult(db, signOn.destination.network.id, signOn.message.interaction, result);
    return returnToLibrary(config, reply, signOn.destination, signOn.message);
  },
  sendRefusal: async ({ db, config }, reply, { destination, message, refusal }) => {
    await storeResult(db, destination.network.id, message.interaction, { error: errorOf(refusal) });
    return returnToLibrary(config, reply, destination, message);
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
