import { CardPage } from '../layout.tsx';
import type { Look } from '../look.ts';
import { StepHeading } from '../parts/card-heading.tsx';
import { EmailField, Field, Form } from '../parts/fields.tsx';

/** Why a mail is requested. */
export type MailReason = 'sign-up' | 'forgot' | 'resend';

export type ByMailPage = {
  look: Look;
  reason: MailReason;
  /** The address it was sent to. The text is the same whether or not there is an account. */
  sentTo?: string | undefined;
  /** Without a mail server, the link is only stored on the server. */
  sendsMail: boolean;
  form: {
    action: string;
    csrf: string;
    backUrl: string;
    error?: string | undefined;
    given?: { email: string; firstname: string; lastname: string } | undefined;
  };
};

const texts: Record<MailReason, { title: string; text: string; submit: string; sent: string }> = {
  'sign-up': {
    title: 'Create an account',
    text: 'We will send you an email to confirm your address. Its link lets you choose your password.',
    submit: 'Create an account',
    sent: 'If an account can be created for this address, an email with a link is on its way.',
  },
  forgot: {
    title: 'Forgotten password',
    text: 'We will send you an email with a link to choose a new one.',
    submit: 'Send me a link',
    sent: 'If there is an account with this address, an email with a link is on its way.',
  },
  resend: {
    title: 'Confirm your address',
    text: 'We will send you another link that confirms your account.',
    submit: 'Send the link again',
    sent: 'If an account with this address is waiting for confirmation, an email with a link is on its way.',
  },
};

const withoutMail = {
  text: 'This service does not send email yet. The link is stored on the server, and an administrator can give it to you.',
  sent: 'If a link can be made for this address, it is stored on the server. Ask an administrator for it.',
  invited: 'If you were invited and have not chosen a password yet, ask for an invitation link.',
};

export function ByMail({ look, reason, sentTo, sendsMail, form }: ByMailPage) {
  const { title, text, submit, sent } = texts[reason];
  const refused = Boolean(form.error);
  return (
    <CardPage title={title} look={look}>
      <StepHeading look={look}>
        {sentTo === undefined ? title : sendsMail ? 'Check your email' : 'Ask an administrator'}
      </StepHeading>
      {sentTo === undefined ? (
        <Form
          action={form.action}
          csrf={form.csrf}
          error={form.error}
          submit={sendsMail || reason === 'sign-up' ? submit : 'Request a link'}
        >
          <p>{sendsMail ? text : withoutMail.text}</p>
          <EmailField value={form.given?.email} refused={refused} />
          {reason === 'sign-up' && (
            <>
              <Field
                name="firstname"
                label="First name"
                autoComplete="given-name"
                defaultValue={form.given?.firstname}
              />
              <Field name="lastname" label="Last name" autoComplete="family-name" defaultValue={form.given?.lastname} />
            </>
          )}
        </Form>
      ) : (
        <>
          <p>
            <strong>
              <bdi>{sentTo}</bdi>
            </strong>
          </p>
          <p>
            {sendsMail
              ? `${sent} It may take a minute. If you cannot find it, look in your spam folder.`
              : withoutMail.sent}
          </p>
          {!sendsMail && reason !== 'sign-up' && <p>{withoutMail.invited}</p>}
        </>
      )}
      <nav className="links" aria-label="Back">
        <a href={form.backUrl}>Back to sign-in</a>
      </nav>
    </CardPage>
  );
}
