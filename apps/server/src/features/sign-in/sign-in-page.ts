import { renderSignIn } from '@opensocial/signin';
import type { FastifyReply } from 'fastify';
import type { Parts } from '../../parts.ts';
import { requestPasskey } from '../passkeys/passkeys.proof.service.ts';
import { listProviders } from '../social/social.service.ts';
import { isThroughMain, mainLogin, offersMain } from './main-network.ts';
import type { Walk, Walking } from './walk.ts';

/** Who are you: the page that a sign-in begins with, and comes back to with what was refused. */
export const createSignInPage =
  (parts: Parts, { show }: Pick<Walking, 'show'>) =>
  (
    reply: FastifyReply,
    walk: Walk,
    tried: { email?: string; error?: string; passkeyError?: string } = {},
    untoldSites: string[] = [],
  ) => {
    const { site, settings } = walk.destination;
    const at = `/signin/${walk.token}`;
    const isClosed = site.kind === 'site' && site.site_mode === 'Closed';
    const request = takesPassword(walk) ? requestPasskey(parts, walk.signIn.passkey_challenge) : undefined;
    return show(
      reply,
      walk,
      (look, csrf) =>
        renderSignIn({
          look,
          form: {
            action: at,
            csrf,
            forceAuthn: walk.signIn.is_forced,
            takesPassword: takesPassword(walk),
            forgotUrl: `${at}/forgot`,
            resendUrl: `${at}/resend`,
            ...(settings.sign_up === 'Enable' && site.kind === 'site' && { signUpUrl: `${at}/sign-up` }),
            email: tried.email,
            error: tried.error,
          },
          passkey: request && { action: `${at}/passkey`, request, error: tried.passkeyError },
          providers: otherWays(parts, walk).map(({ name, label }) => ({ name, label, action: `${at}/with/${name}` })),
          ...(isThroughMain(walk) && {
            goesOn: { to: walk.asked.destination.site.site_name, otherwise: `${at}/again` },
          }),
          untoldSites,
          closed: isClosed ? site.closed_message || 'It is closed for now. Please try again later.' : undefined,
        }),
      { asksPasskey: request !== undefined },
    );
  };

const otherWays = (parts: Parts, { destination }: Walk): { name: string; label: string }[] => [
  ...(offersMain(destination) ? [{ name: mainLogin, label: 'OpenSocial' }] : []),
  ...listProviders(parts, destination),
];

/** The console takes it always: without it nobody could switch it on again. */
export const takesPassword = ({ destination: { site } }: Walk): boolean => site.kind === 'console' || site.email_login;
