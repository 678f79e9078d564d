import { Email, PersonName } from '@opensocial/contract';
import { type MailReason, renderByMail } from '@opensocial/signin';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { addressOf, countedAddress } from '../../http/address.ts';
import { PageError } from '../../http/errors.ts';
import { formFields } from '../../http/fields.ts';
import { takeTry } from '../../http/throttle.ts';
import type { Parts } from '../../parts.ts';
import { askToConfirm, resetPassword, signUp } from '../users/users.links.service.ts';
import type { Walk, Walking } from './walk.ts';

type PageParams = { Params: { token: string } };

/** Mails that strangers may have sent: to one address, and from one. */
const mailsToAddress = { limit: 5 };
const mailsFromAddress = { limit: 20 };

/**
 * What is asked for by mail: an account, a new password, the confirmation once more. Each answers the same page, and does the
 * same work before it, whether or not there is an account.
 */
export const signInMailRoutes = (app: FastifyInstance, parts: Parts, { resume, resumeForm, show }: Walking): void => {
  const { db } = parts;

  const page = (reason: MailReason, send: (walk: Walk, given: Given) => Promise<void>): void => {
    app.get<PageParams>(`/signin/:token/${reason}`, async (request, reply) =>
      showPage(reply, openTo(reason, await resume(request)), reason),
    );

    app.post<PageParams>(`/signin/:token/${reason}`, async (request, reply) => {
      const walk = openTo(reason, await resumeForm(request));
      const given = read(formFields(request));
      const fault = faultOf(reason, given);
      if (fault !== undefined) return showPage(reply.status(400), walk, reason, { given, error: fault });
      const email = Email.parse(given.email);
      if (await mayBeSent(email, addressOf(request))) await send(walk, { ...given, email });
      return showPage(reply, walk, reason, { sentTo: given.email });
    });
  };

  /** Beyond the limit the answer is the same, and nothing is sent: nobody learns whom others wrote to. */
  const mayBeSent = async (email: string, address: string): Promise<boolean> => {
    const to = await takeTry(db, `mail-to:${email}`, mailsToAddress);
    const from = await takeTry(db, `mail-from:${countedAddress(address)}`, mailsFromAddress);
    return to.blockedFor === 0 && from.blockedFor === 0;
  };

  page('forgot', ({ destination: { network } }, { email }) => resetPassword(parts, network, email));
  page('resend', ({ destination: { network } }, { email }) => askToConfirm(parts, network, email));
  page('sign-up', ({ destination: { network } }, given) => signUp(parts, network, given));

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
};

type Given = { email: string; firstname: string; lastname: string };

const read = ({ email = '', firstname = '', lastname = '' }: Partial<Record<string, string>>): Given => ({
  email: email.trim().slice(0, 254),
  firstname: firstname.trim(),
  lastname: lastname.trim(),
});

const faultOf = (reason: MailReason, { email, firstname, lastname }: Given): string | undefined => {
  if (!Email.safeParse(email).success) return 'Enter an email address, such as ana@example.org.';
  const hasNames = [firstname, lastname].every((name) => PersonName.safeParse(name).success);
  return reason === 'sign-up' && !hasNames ? 'Enter your first and your last name, of at most 100 letters.' : undefined;
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
