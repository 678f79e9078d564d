import { CardPage } from '../layout.tsx';
import type { Look } from '../look.ts';
import { StepHeading } from '../parts/card-heading.tsx';
import { Field, Form } from '../parts/fields.tsx';

export type NewPasswordPage = {
  look: Look;
  email: string;
  /** The network's password rule, in words. */
  rule: string;
  form: { action: string; csrf: string; error?: string | undefined };
};

/** Shown if the password has expired. It has to be changed before the sign-in continues. */
export function NewPassword({ look, email, rule, form }: NewPasswordPage) {
  const refused = Boolean(form.error);
  return (
    <CardPage title="Choose a new password" look={look}>
      <StepHeading look={look}>Choose a new password</StepHeading>
      <p>Your password has expired. Choose a new one to continue.</p>
      <Form action={form.action} csrf={form.csrf} error={form.error} submit="Save and continue">
        <input type="text" name="username" autoComplete="username" defaultValue={email} readOnly hidden />
        <Field
          name="password"
          label="New password"
          type="password"
          autoComplete="new-password"
          autoFocus
          refused={refused}
          hint={rule}
        />
        <Field
          name="confirmation"
          label="Repeat new password"
          type="password"
          autoComplete="new-password"
          refused={refused}
        />
      </Form>
    </CardPage>
  );
}
