import { assets } from '../assets.ts';
import { CardPage } from '../layout.tsx';
import { mailUrl } from '../links.ts';
import type { Look } from '../look.ts';
import { SignInHeading } from '../parts/card-heading.tsx';
import { EmailField, Field, Form, PostLink } from '../parts/fields.tsx';
import { Notice, Refusal } from '../parts/notice.tsx';
import { PasskeyForm, PasskeyIcon } from '../parts/passkey-form.tsx';
import { type SiteStillSignedIn, SitesStillSignedIn } from '../parts/sites-still-signed-in.tsx';

export type SignInPage = {
  look: Look;
  form: {
    action: string;
    csrf: string;
    email?: string | undefined;
    error?: string | undefined;
    forceAuthn?: boolean | undefined;
    /** Whether the site accepts email and password. */
    takesPassword?: boolean | undefined;
    signUpUrl?: string | undefined;
    forgotUrl?: string | undefined;
    resendUrl?: string | undefined;
  };
  /** The request for a passkey and the URL of its answer; `error` says why the last one was refused. */
  passkey?: { action: string; request: object; error?: string | undefined } | undefined;
  /** Other ways to sign in, in the given order. */
  providers?: readonly { name: string; label: string; action: string }[] | undefined;
  /** For a sign-in through the main network: the site it is for, and the URL of that site's own sign-in page. */
  continueTo?: { site: string; otherSignInUrl: string } | undefined;
  /** Names of the sites that the last sign-out of this browser could not notify. */
  sitesStillSignedIn?: readonly SiteStillSignedIn[] | undefined;
  /** Replaces the form if the site is closed. Owners of its network and the testers of the site may still sign in. */
  closed?: { message: string; hasTesters: boolean } | undefined;
  isPreview?: boolean | undefined;
};

export function SignIn({
  look,
  form,
  passkey,
  providers = [],
  continueTo,
  sitesStillSignedIn = [],
  closed,
  isPreview,
}: SignInPage) {
  const { announcement, site } = look;
  const isPossible = form.takesPassword !== false || passkey !== undefined || providers.length > 0;
  const options = isPossible ? (
    <SignInOptions form={form} passkey={passkey} providers={providers} isPreview={isPreview} />
  ) : (
    <NoLoginNotice look={look} error={form.error} />
  );
  const isRefused = (form.error ?? passkey?.error) !== undefined;
  return (
    <CardPage
      title={site ? `Sign in to ${site.name}` : 'Sign in'}
      look={look}
      script={passkey && !isPreview ? assets.passkeyScript : undefined}
      isPreview={isPreview}
    >
      <SignInHeading look={look} />
      {announcement && (
        <Notice title={announcement.title}>
          <p dir="auto">{announcement.message}</p>
        </Notice>
      )}
      {sitesStillSignedIn.length > 0 && <SitesStillSignedIn sites={sitesStillSignedIn} />}
      {continueTo && (
        <p>
          You will then continue to <bdi>{continueTo.site}</bdi>.
        </p>
      )}
      {form.forceAuthn && <p>Please sign in again to confirm that it is you.</p>}
      {closed === undefined ? (
        options
      ) : (
        <>
          <p className="closed" dir="auto">
            {closed.message}
          </p>
          <details className="owners" open={isRefused}>
            <summary>I administer this network{closed.hasTesters && ' or test this site'}</summary>
            <p className="field-hint">
              Owners{closed.hasTesters && ' and testers'} can sign in while the site is closed, to check whether it can
              be opened.
            </p>
            {options}
          </details>
        </>
      )}
      {continueTo && (
        <nav className="links" aria-label="Other ways to sign in">
          <PostLink action={continueTo.otherSignInUrl} csrf={form.csrf}>
            Sign in another way
          </PostLink>
        </nav>
      )}
    </CardPage>
  );
}

type NoLoginNoticeProps = { look: Look; error: string | undefined };

/** Shown instead of an empty card if email login is off and no other login works. */
function NoLoginNotice({ look: { site, helpEmail }, error }: NoLoginNoticeProps) {
  return (
    <>
      {error && <Refusal id="form-error">{error}</Refusal>}
      <Notice title="Nobody can sign in here at the moment">
        <p>
          Email login is switched off for {site ? <bdi>{site.name}</bdi> : 'this site'}, and no other way to sign in is
          set up. This is not your fault, and trying again will not help.
        </p>
        <p>
          {helpEmail ? (
            <>
              Please write to <a href={mailUrl(helpEmail)}>{helpEmail}</a>, who can ask an administrator to set it up.
            </>
          ) : (
            'Please ask an administrator of this network to set up a way to sign in.'
          )}
        </p>
      </Notice>
    </>
  );
}

type SignInOptionsProps = Pick<SignInPage, 'form' | 'passkey' | 'isPreview'> & {
  providers: NonNullable<SignInPage['providers']>;
};

function SignInOptions({ form, passkey, providers, isPreview }: SignInOptionsProps) {
  const takesPassword = form.takesPassword !== false;
  return (
    <>
      {takesPassword && <PasswordForm form={form} suggestsPasskeys={passkey !== undefined} isPreview={isPreview} />}
      {!takesPassword && form.error && <Refusal id="form-error">{form.error}</Refusal>}
      {(passkey || providers.length > 0) && (
        <div
          className="providers"
          {...(providers.length === 0 && !isPreview && { hidden: true, 'data-with-passkeys': true })}
        >
          {takesPassword && <p className="or">or</p>}
          {passkey && (
            <PasskeyForm
              {...passkey}
              isPreview={isPreview}
              csrf={form.csrf}
              submit={
                <button className="button" type="submit">
                  <PasskeyIcon />
                  Sign in with a passkey
                </button>
              }
            />
          )}
          {providers.map(({ name, label, action }) => (
            <form key={name} method="post" action={action}>
              <input type="hidden" name="csrf" value={form.csrf} />
              <button className="button" type="submit">
                Continue with {label}
              </button>
            </form>
          ))}
        </div>
      )}
      {takesPassword && <Links form={form} />}
    </>
  );
}

type PasswordFormProps = Pick<SignInPage, 'form' | 'isPreview'> & { suggestsPasskeys: boolean };

function PasswordForm({ form, suggestsPasskeys, isPreview }: PasswordFormProps) {
  const refused = Boolean(form.error);
  return (
    <Form action={form.action} csrf={form.csrf} error={form.error} submit="Sign in">
      <EmailField
        value={form.email}
        refused={refused}
        suggestsPasskeys={suggestsPasskeys}
        {...(isPreview && { autoFocus: false })}
      />
      <Field
        name="password"
        label="Password"
        type="password"
        autoComplete="current-password"
        autoFocus={Boolean(form.email)}
        refused={refused}
      />
    </Form>
  );
}

function Links({ form: { forgotUrl, signUpUrl, resendUrl } }: Pick<SignInPage, 'form'>) {
  if (!forgotUrl) return null;
  return (
    <nav className="links" aria-label="Help with signing in">
      <a href={forgotUrl}>Forgotten password?</a>
      {resendUrl && <a href={resendUrl}>No confirmation email?</a>}
      {signUpUrl && <a href={signUpUrl}>Create an account</a>}
    </nav>
  );
}
