import type { ReactNode } from 'react';
import { AlertIcon } from './alert-icon.tsx';

type PasskeyFormProps = {
  action: string;
  csrf: string;
  /** The WebAuthn request. */
  request: object;
  error?: string | undefined;
  /** A preview has no script that would show the form. */
  isPreview?: boolean | undefined;
  submit: ReactNode;
  children?: ReactNode;
};

/**
 * Hidden until the script of the page finds that the browser supports passkeys. The script fills in the answer and
 * submits the form.
 */
export function PasskeyForm({ action, csrf, request, error, isPreview = false, submit, children }: PasskeyFormProps) {
  return (
    <form className="fields" method="post" action={action} data-passkey={JSON.stringify(request)} hidden={!isPreview}>
      <input type="hidden" name="csrf" value={csrf} />
      <input type="hidden" name="answer" />
      <div className="notice notice-bad" role="alert" hidden={!error}>
        <AlertIcon />
        <p>{error}</p>
      </div>
      {children}
      {submit}
    </form>
  );
}

export function PasskeyIcon() {
  return (
    <svg className="icon" viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.8" aria-hidden="true">
      <path
        d="m16.6 3.8 3.6 3.6a2.9 2.9 0 0 1 0 4.1l-2.7 2.7a2.9 2.9 0 0 1-4 0l-.3-.3-6.6 6.5a2 2 0 0 1-1.4.6H4a1 1 0 0 1-1-1v-1.2a2 2 0 0 1 .6-1.4l.4-.4h2v-2h2v-2l2.1-2.1-.3-.3a2.9 2.9 0 0 1 0-4.1l2.7-2.7a2.9 2.9 0 0 1 4.1 0zM15 9h.01"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
