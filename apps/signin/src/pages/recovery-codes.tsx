import { CardPage } from '../layout.tsx';
import type { Look } from '../look.ts';
import { StepHeading } from '../parts/card-heading.tsx';
import { Form } from '../parts/fields.tsx';

export type RecoveryCodesPage = { look: Look; codes: readonly string[]; action: string; csrf: string };

/** The codes are shown only once. */
export function RecoveryCodes({ look, codes, action, csrf }: RecoveryCodesPage) {
  return (
    <CardPage title="Save your recovery codes" look={look}>
      <StepHeading look={look}>Save your recovery codes</StepHeading>
      <p>
        If you lose your authenticator app, each of these codes lets you sign in once. They are shown only once: write
        them down or print this page.
      </p>
      <ul className="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Form action={action} csrf={csrf} submit="I have saved them" />
    </CardPage>
  );
}
