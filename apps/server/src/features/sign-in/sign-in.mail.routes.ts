import { Email, nameHasAddress, PersonName } from '@opensocial/contract';
import { type MailReason, renderByMail } from '@opensocial/signin';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { addressOf, countedAddress } from '../../http/address.ts';
import { readCookie } from '../../http/cookies.ts';
import { PageError } from '../../http/errors.ts';
import { formFields } from '../../http/fields.ts';
import { takeQuota } from '../../http/throttle.ts';
import type { Parts } from '../../parts.ts';
import { findKnownDevice } from './device.ts';
import type { Walk, Walking } from './walk.ts';

type PageParams = { Params: { token: string } };

/**
 * How many mails can be requested within an hour: by one address or one known device, and by all known devices of an account. The job
 * that answers the requests limits how many mails one person gets.
 */
const requestsFromOne = { limit: 20, minutes: 60 };
const requestsFromAccount = { limit: 60, minutes: 60 };

/**
 * The pages that ask for a mail: an account, a new password, the confirmation once more. Each only queues the request and answers
 * the same page, so that neither the answer nor the time it takes tells whether there is an account.
 */
export const signInMailRoutes = (app: FastifyInstance, parts: Parts, { resume, resumeForm, show }: Walking): void => {
  const { db, config } = parts;

  const page = (reason: MailReason): void => {
    app.get<PageParams>(`/signin/:token/${reason}`, async (request, reply) =>
      showPage(reply, openTo(reason, await resume(request)), reason),
    );

    app.post<PageParams>(`/signin/:token/${reason}`, async (request, reply) => {
      const walk = openTo(reason, await resumeForm(request));
      const given = read(formFields(request));
      const fault = faultOf(reason, given);
      if (fault !== undefined) return showPage(reply.status(400), walk, reason, { given, error: fault });
      const { id, name } = walk.destination.network;
      const address = countedAddress(addressOf(request));
      const device = readCookie(config, request, 'device');
      // Beyond the budget the answer is the same and nothing is sent.
      if (await isWithinBudget(address, device))
        await parts.jobs.answerLinkRequest(db, {
          ...given,
          reason,
          network: { id, name },
          email: Email.parse(given.email),
          address,
          device,
        });
      return showPage(reply, walk, reason, { sentTo: given.email });
    });
  };

  /** A known device is not charged to its address, so that others there cannot use its requests up. */
  const isWithinBudget = async (address: string, sealed: string | undefined): Promise<boolean> => {
    const known = await findKnownDevice(parts, sealed);
    const isKnownWithin =
      known !== undefined &&
      (await takeQuota(db, [`mail-from:device:${known.device}`], requestsFromOne)) &&
      (await takeQuota(db, [`mail-from:account:${known.owner.uid}`], requestsFromAccount));
    return isKnownWithin || takeQuota(db, [`mail-from:${address}`], requestsFromOne);
  };

  const showPage = (
    reply: FastifyReply,
    walk: Walk,
    reason: MailReason,
    state: { given?: Given; error?: string; sentTo?: string } = {},
  ) =>
    show(reply, walk, (look, csrf) =>
      renderByMail({
        look,
        reason,
        sentTo: state.sentTo,
        form: {
          action: `/signin/${walk.token}/${reason}`,
          csrf,
          backUrl: `/signin/${walk.token}`,
          error: state.error,
          given: state.given,
        },
      }),
    );

  page('forgot');
  page('resend');
  page('sign-up');
};

type Given = { email: string; firstname: string; lastname: string };

const read = ({ email = '', firstname = '', lastname = '' }: Partial<Record<string, string>>): Given => ({
  email: email.trim().slice(0, 254),
  firstname: firstname.trim(),
  lastname: lastname.trim(),
});

const faultOf = (reason: MailReason, { email, firstname, lastname }: Given): string | undefined => {
  if (!Email.safeParse(email).success) return 'Enter an email address, such as ana@example.org.';
  if (reason !== 'sign-up') return undefined;
  const [fault] = [firstname, lastname].flatMap((name) => PersonName.safeParse(name).error?.issues ?? []);
  if (fault?.message === nameHasAddress) return `${nameHasAddress}.`;
  return fault && 'Enter your first and your last name, of at most 100 letters.';
};

/** Strangers make accounts only where the network lets them. */
const openTo = (reason: MailReason, walk: Walk): Walk => {
  const { site, settings } = walk.destination;
  if (reason === 'sign-up' && (settings.sign_up === 'Disable' || site.kind === 'console'))
    throw new PageError(
      404,
      'There is no sign-up here',
      'Accounts of this network are made by its administrators. Ask them for one.',
    );
  return walk;
};
