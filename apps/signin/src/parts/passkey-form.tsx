import type { ReactNode } from 'react';
import { AlertIcon } from './alert-icon.tsx';

type PasskeyFormProps = {
  action: string;
  csrf: string;
  /** What the browser is asked, as WebAuthn has it. */
  request: object;
  error?: string | undefined;
  submit: ReactNode;
  children?: ReactNode;
};

/** Out of sight until the script of the page finds that this browser knows passkeys. It fills the answer in and sends it. */
export function PasskeyForm({ action, csrf, request, error, submit, children }: PasskeyFormProps) {
  return (
    <form className="fields" method="post" action={action} data-passkey={JSON.stringify(request)} hidden>
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
      <circle cx="8" cy="8" r="4.5" />
      <circle cx="7" cy="7" r="0.9" fill="currentColor" stroke="none" />
      <path d="m11.2 11.2 8.3 8.3M16 16l2.4-2.4M18.6 18.6 20.6 16.6" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
