import { type Asset, assets } from '../assets.ts';
import { CardPage } from '../layout.tsx';
import { type Look, networkNameOf } from '../look.ts';
import { SignInHeading } from '../parts/card-heading.tsx';
import { Field, Form, PostLink } from '../parts/fields.tsx';
import { PasskeyForm, PasskeyIcon } from '../parts/passkey-form.tsx';

export type Factor = 'passkey' | 'totp' | 'email' | 'recovery' | 'setup';

export type VerifyPage = {
  look: Look;
  factor: Factor;
  /** The masked address that a code is sent to. */
  email: string;
  /** Whether a code has been sent, and the seconds until another one may be. */
  isSent: boolean;
  resendIn: number;
  /** Without a mail server, codes are only stored on the server. */
  sendsMail: boolean;
  /** Whether an authenticator app is set up after this code. */
  isBeforeSetup?: boolean;
  /** The key and QR code for a new authenticator app. */
  shown?: { key: string; img: string } | undefined;
  /** The WebAuthn request for a passkey; undefined if our address does not support passkeys. */
  request?: object | undefined;
  others: readonly Factor[];
  /** Days for which this browser can skip the second factor; 0 does not offer it. */
  rememberDays: number;
  form: { action: string; sendAction: string; againAction: string; csrf: string; error?: string | undefined };
};

const otherWays: Record<Factor, string> = {
  passkey: 'Use a passkey',
  totp: 'Use the authenticator app',
  email: 'Get a code by email',
  recovery: 'Use a recovery code',
  setup: 'Set up an authenticator app',
};

/** The script of the page, if it needs one. */
export const verifyScript = ({ request, resendIn }: Pick<VerifyPage, 'request' | 'resendIn'>): Asset | undefined => {
  if (request) return assets.passkeyScript;
  return resendIn > 0 ? assets.resendScript : undefined;
};

export function Verify(page: VerifyPage) {
  const { look, form, others } = page;
  return (
    <CardPage title="Verify it’s you" look={look} script={verifyScript(page)}>
      <SignInHeading look={look} />
      <Question {...page} />
      <nav className="links" aria-label="Other ways to sign in">
        {page.factor === 'email' && page.isSent && (
          <PostLink action={form.sendAction} csrf={form.csrf} waits={page.resendIn}>
            Send a new code
          </PostLink>
        )}
        {others.map((factor) =>
          factor === 'email' ? (
            <PostLink key={factor} action={form.sendAction} csrf={form.csrf}>
              {page.sendsMail ? otherWays.email : 'Get a code from an administrator'}
            </PostLink>
          ) : (
            <a key={factor} href={`${form.action}?with=${factor}`}>
              {otherWays[factor]}
            </a>
          ),
        )}
        <PostLink action={form.againAction} csrf={form.csrf}>
          Use another account
        </PostLink>
      </nav>
    </CardPage>
  );
}

function Question(page: VerifyPage) {
  const { factor, email, isSent, form, shown, look, isBeforeSetup = false } = page;
  const refused = Boolean(form.error);
  if (factor === 'passkey') return <PasskeyQuestion {...page} />;
  if (factor === 'email' && !isSent)
    return (
      <Form action={form.sendAction} csrf={form.csrf} error={form.error} submit="Send me a code">
        {isBeforeSetup ? (
          <p>
            {networkNameOf(look)} asks for an authenticator app. Before you set one up, confirm that this is your
            account. We send a code to <bdi>{email}</bdi>.
          </p>
        ) : (
          <p>
            A second factor is required. We send a code to <bdi>{email}</bdi>.
          </p>
        )}
        {!page.sendsMail && <StoredCode />}
      </Form>
    );
  return (
    <Form action={form.action} csrf={form.csrf} error={form.error} submit={factor === 'setup' ? 'Set up' : 'Confirm'}>
      <input type="hidden" name="factor" value={factor} />
      {factor === 'totp' && <p>Enter the current code from your authenticator app.</p>}
      {factor === 'email' && (
        <p>
          Enter the code that we sent to <bdi>{email}</bdi>. It works once, within ten minutes.
        </p>
      )}
      {factor === 'email' && !page.sendsMail && <StoredCode />}
      {factor === 'recovery' && <p>Enter one of the recovery codes that you saved. Each works once.</p>}
      {factor === 'setup' && shown && (
        <>
          <p>
            {networkNameOf(look)} requires a second factor. Scan this QR code with an authenticator app, then enter the
            code that the app shows.
          </p>
          <img className="qr" src={shown.img} alt="QR code for the authenticator app" width="180" height="180" />
          <p className="key">
            Or type this key: <code>{shown.key}</code>
          </p>
        </>
      )}
      <Field
        name="code"
        label={factor === 'recovery' ? 'Recovery code' : 'Code'}
        inputMode={factor === 'recovery' ? 'text' : 'numeric'}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        refused={refused}
      />
      {factor !== 'recovery' && <Remember days={page.rememberDays} />}
    </Form>
  );
}

/** People would wait for a mail that never comes. */
function StoredCode() {
  return (
    <p className="notice notice-warn">
      This service does not send email yet. The code is stored on the server: ask an administrator for it.
    </p>
  );
}

function PasskeyQuestion({ request, form, rememberDays }: VerifyPage) {
  return (
    <>
      <p data-without-passkeys>This browser cannot use your passkey here. Please choose another way.</p>
      {request && (
        <PasskeyForm
          action={form.action}
          csrf={form.csrf}
          request={request}
          error={form.error}
          submit={
            <button className="button button-primary" type="submit" autoFocus>
              <PasskeyIcon />
              Use your passkey
            </button>
          }
        >
          <input type="hidden" name="factor" value="passkey" />
          <p>A second factor is required. Confirm with the device or the security key that stores your passkey.</p>
          <Remember days={rememberDays} />
        </PasskeyForm>
      )}
    </>
  );
}

type RememberProps = { days: number };

function Remember({ days }: RememberProps) {
  if (days === 0) return null;
  return (
    <label className="tick">
      <input type="checkbox" name="remember" value="yes" /> Do not ask again in this browser for {days} days
    </label>
  );
}
