import { assets, renderSignIn, type SiteStillSignedIn } from '@opensocial/signin';
import type { FastifyReply } from 'fastify';
import type { Parts } from '../../../parts.ts';
import { requestPasskey } from '../../passkeys/passkeys.authentication.service.ts';
import { listProviders } from '../../social/social.service.ts';
import { mainLogin, offersMainLogin, takesPassword } from '../accounts/login-types.ts';
import { closedMessage } from '../accounts/maintenance.ts';
import type { Destination } from '../destination/destinations.queries.ts';
import { isAtMainNetwork, type SignInFlow } from '../flow/sign-in-flow.ts';
import { showPage } from './show-page.ts';

/** The email address to fill in, and the error of the previous attempt. */
type SignInPageState = { email?: string; error?: string; passkeyError?: string };

/** Sends the first page of a sign-in, on which the person says who they are. */
export const showSignInPage = (
  parts: Parts,
  reply: FastifyReply,
  flow: SignInFlow,
  state: SignInPageState = {},
  sitesStillSignedIn: readonly SiteStillSignedIn[] = [],
) => {
  const { site, settings } = flow.destination;
  const path = `/signin/${flow.token}`;
  const isClosed = site.kind === 'site' && site.site_mode === 'Closed';
  const hasPassword = takesPassword(flow.destination);
  const request = hasPassword ? requestPasskey(parts, flow.signIn.passkey_challenge) : undefined;
  return showPage(
    parts,
    reply,
    flow,
    (look, csrf) =>
      renderSignIn({
        look,
        form: {
          action: path,
          csrf,
          forceAuthn: flow.signIn.is_forced,
          takesPassword: hasPassword,
          forgotUrl: `${path}/forgot`,
          resendUrl: `${path}/resend`,
          ...(settings.sign_up === 'Enable' && site.kind === 'site' && { signUpUrl: `${path}/sign-up` }),
          email: state.email,
          error: state.error,
        },
        passkey: request && { action: `${path}/passkey`, request, error: state.passkeyError },
        providers: otherLogins(parts, flow.destination).map(({ name, label }) => ({
          name,
          label,
          action: `${path}/with/${name}`,
        })),
        ...(isAtMainNetwork(flow) && {
          continueTo: { site: flow.signOn.destination.site.site_name, otherSignInUrl: `${path}/again` },
        }),
        sitesStillSignedIn,
        closed: isClosed ? { message: closedMessage(site), hasTesters: site.testers_group_id !== null } : undefined,
      }),
    request && assets.passkeyScript,
  );
};

const otherLogins = (parts: Parts, destination: Destination): { name: string; label: string }[] => [
  ...(offersMainLogin(destination) ? [{ name: mainLogin, label: 'OpenSocial' }] : []),
  ...listProviders(parts, destination),
];
