import type { InputHTMLAttributes, ReactNode } from 'react';
import { Refusal } from './notice.tsx';

const errorId = 'form-error';

type FormProps = {
  action: string;
  csrf: string;
  error?: string | undefined;
  /** The label of the only button. */
  submit: string;
  children?: ReactNode;
};

/** A form of the sign-in: the error, if any, its fields and one button. */
export function Form({ action, csrf, error, submit, children }: FormProps) {
  return (
    <form className="fields" method="post" action={action}>
      <input type="hidden" name="csrf" value={csrf} />
      {error && <Refusal id={errorId}>{error}</Refusal>}
      {children}
      <button className="button button-primary" type="submit">
        {submit}
      </button>
    </form>
  );
}

type FieldProps = InputHTMLAttributes<HTMLInputElement> & {
  name: string;
  label: string;
  /** Links the field to the error message. */
  refused?: boolean | undefined;
  hint?: string | undefined;
};

export function Field({ name, label, refused, hint, ...input }: FieldProps) {
  const described = [refused ? errorId : '', hint ? `${name}-hint` : ''].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <input
        id={name}
        name={name}
        required
        {...input}
        {...(refused && { 'aria-invalid': true })}
        {...(described && { 'aria-describedby': described })}
      />
      {hint && (
        <p className="field-hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

type EmailFieldProps = {
  value?: string | undefined;
  refused?: boolean | undefined;
  /** Whether the browser may suggest passkeys together with addresses. */
  suggestsPasskeys?: boolean;
  autoFocus?: boolean | undefined;
};

export function EmailField({ value, refused, suggestsPasskeys = false, autoFocus = !value }: EmailFieldProps) {
  return (
    <Field
      name="email"
      label="Email"
      type="email"
      inputMode="email"
      autoComplete={suggestsPasskeys ? 'username webauthn' : 'username'}
      autoCapitalize="none"
      spellCheck={false}
      defaultValue={value}
      autoFocus={autoFocus}
      refused={refused}
    />
  );
}

type PostLinkProps = {
  action: string;
  csrf: string;
  children: string;
  name?: string;
  value?: string;
  /** The seconds for which a script disables the button. */
  waits?: number;
};

/** Looks like a link but changes state, so it is a form. */
export function PostLink({ action, csrf, children, name, value, waits = 0 }: PostLinkProps) {
  return (
    <form method="post" action={action}>
      <input type="hidden" name="csrf" value={csrf} />
      {name && <input type="hidden" name={name} value={value} />}
      <button className="text-button" type="submit" {...(waits > 0 && { 'data-waits': waits })}>
        {children}
      </button>
    </form>
  );
}
