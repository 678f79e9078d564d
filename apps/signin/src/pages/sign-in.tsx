import { CardPage } from '../layout.tsx';
import type { Look } from '../look.ts';
import { SignInHeading } from '../parts/card-heading.tsx';
import { Notice, Refusal } from '../parts/notice.tsx';

export type SignInPage = {
  look: Look;
  form: {
    action: string;
    csrf: string;
    email?: string | undefined;
    error?: string | undefined;
    forceAuthn?: boolean | undefined;
  };
};

export function SignIn({ look, form }: SignInPage) {
  const { announcement, site } = look;
  return (
    <CardPage title={site ? `Sign in to ${site.name}` : 'Sign in'} look={look}>
      <SignInHeading look={look} />
      {announcement && (
        <Notice title={announcement.title}>
          <p dir="auto">{announcement.message}</p>
        </Notice>
      )}
      {form.forceAuthn && <p>You are asked to sign in again, to confirm that it is you.</p>}
      <PasswordForm form={form} />
    </CardPage>
  );
}

const errorId = 'sign-in-error';

type PasswordFormProps = Pick<SignInPage, 'form'>;

function PasswordForm({ form }: PasswordFormProps) {
  const refused = form.error ? ({ 'aria-invalid': true, 'aria-describedby': errorId } as const) : {};
  return (
    <form className="fields" method="post" action={form.action}>
      <input type="hidden" name="csrf" value={form.csrf} />
      {form.error && <Refusal id={errorId}>{form.error}</Refusal>}
      <div className="field">
        <label htmlFor="email">Email</label>
        <input
          id="email"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          defaultValue={form.email}
          autoFocus={!form.email}
          {...refused}
        />
      </div>
      <div className="field">
        <label htmlFor="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          autoFocus={Boolean(form.email)}
          {...refused}
        />
      </div>
      <button className="button button-primary" type="submit">
        Sign in
      </button>
    </form>
  );
}
