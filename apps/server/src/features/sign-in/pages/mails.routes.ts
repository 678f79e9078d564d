import { Email, nameHasAddress, PersonName } from '@opensocial/contract';
import { type MailReason, renderByMail } from '@opensocial/signin';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { addressOf, countedAddress } from '../../../http/address.ts';
import { readCookie } from '../../../http/cookies.ts';
import { PageError } from '../../../http/errors.ts';
import { formFields } from '../../../http/fields.ts';
import { consumeQuota } from '../../../http/throttle.ts';
import { canSendMail } from '../../../mail/mailer.ts';
import type { Parts } from '../../../parts.ts';
import { findKnownDevice } from '../credentials/known-devices.ts';
import { resumeFlow, resumeFlowFromForm } from '../flow/resume.ts';
import type { PageRequest, SignInFlow, SignInParts } from '../flow/sign-in-flow.ts';
import { showPage } from './show-page.ts';

type PageParams = { Params: PageRequest['params'] };

/**
 * The maximum numbers of mails that can be requested within an hour: by one address or one known device, and by all known devices of an
 * account. The job that answers the requests limits how many mails one person gets.
 */
const requestsPerClient = { limit: 20, minutes: 60 };
const requestsPerAccount = { limit: 60, minutes: 60 };

/**
 * The pages that request a mail: with a link for a new password, with the confirmation of an account once more, or for a new account. Each
 * only queues the request and always answers with the same page, so that neither the page nor the response time discloses whether an
 * account exists.
 */
export const mailRoutes = (app: FastifyInstance, parts: SignInParts): void => {
  for (const reason of ['forgot', 'resend', 'sign-up'] as const) {
    app.get<PageParams>(`/signin/:token/${reason}`, async (request, reply) => {
      const flow = await resumeFlow(parts, { request, reply });
      assertOffered(reason, flow);
      return showMailPage(parts, reply, flow, reason);
    });

    app.post<PageParams>(`/signin/:token/${reason}`, async (request, reply) => {
      const flow = await resumeFlowFromForm(parts, { request, reply });
      assertOffered(reason, flow);
      const given = readFields(formFields(request));
      const error = findFault(reason, given);
      if (error !== undefined) return showMailPage(parts, reply.status(400), flow, reason, { given, error });
      const { id, name } = flow.destination.network;
      const address = countedAddress(addressOf(request));
      const device = readCookie(parts.config, request, 'device');
      // Beyond the quota the same page is shown, but no mail is sent.
      if (await isWithinQuota(parts, address, device))
        await parts.jobs.answerLinkRequest(parts.db, {
          ...given,
          reason,
          network: { id, name },
          email: Email.parse(given.email),
          address,
          device,
        });
      return showMailPage(parts, reply, flow, reason, { sentTo: given.email });
    });
  }
};

/** A known device has its own quota before that of its address, so that other clients at the address cannot use it up. */
const isWithinQuota = async (parts: Parts, address: string, deviceCookie: string | undefined): Promise<boolean> => {
  const { db } = parts;
  const known = await findKnownDevice(parts, deviceCookie);
  const isKnownWithin =
    known !== undefined &&
    (await consumeQuota(db, [`mail-from:device:${known.device}`], requestsPerClient)) &&
    (await consumeQuota(db, [`mail-from:account:${known.owner.uid}`], requestsPerAccount));
  return isKnownWithin || consumeQuota(db, [`mail-from:${address}`], requestsPerClient);
};

const showMailPage = (
  parts: Parts,
  reply: FastifyReply,
  flow: SignInFlow,
  reason: MailReason,
  state: { given?: GivenFields; error?: string; sentTo?: string } = {},
) =>
  showPage(parts, reply, flow, (look, csrf) =>
    renderByMail({
      look,
      reason,
      sentTo: state.sentTo,
      sendsMail: canSendMail(parts.config),
      form: {
        action: `/signin/${flow.token}/${reason}`,
        csrf,
        backUrl: `/signin/${flow.token}`,
        error: state.error,
        given: state.given,
      },
    }),
  );

type GivenFields = { email: string; firstname: string; lastname: string };

const readFields = ({ email = '', firstname = '', lastname = '' }: Partial<Record<string, string>>): GivenFields => ({
  email: email.trim().slice(0, 254),
  firstname: firstname.trim(),
  lastname: lastname.trim(),
});

const findFault = (reason: MailReason, { email, firstname, lastname }: GivenFields): string | undefined => {
  if (!Email.safeParse(email).success) return 'Enter an email address, such as ana@example.org.';
  if (reason !== 'sign-up') return undefined;
  const [fault] = [firstname, lastname].flatMap((name) => PersonName.safeParse(name).error?.issues ?? []);
  if (fault?.message === nameHasAddress) return `${nameHasAddress}.`;
  return fault && 'Enter your first name and your last name, each with at most 100 characters.';
};

/** People can create accounts themselves only if the network allows it, and never at the console. */
const assertOffered = (reason: MailReason, { destination: { site, settings } }: SignInFlow): void => {
  if (reason === 'sign-up' && (settings.sign_up === 'Disable' || site.kind === 'console'))
    throw new PageError(
      404,
      'Sign-up is not available',
      'The administrators of this network create its accounts. Ask them for one.',
    );
};
