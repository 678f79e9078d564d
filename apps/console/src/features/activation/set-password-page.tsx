import { useLoaderData } from 'react-router';
import { CardHeading, CardPage } from '../../patterns/card-page/card-page.tsx';
import { ErrorPanel } from '../../patterns/error-panel/error-panel.tsx';
import { AccountActivation } from './account-activation.tsx';
import type { ActivationLink } from './activation-link.ts';
import { LegalFooter } from './legal-footer.tsx';

/** SPEC 2.14. */
export function SetPasswordPage() {
  const link = useLoaderData<ActivationLink | null>();
  return (
    <CardPage footer={<LegalFooter />}>
      <CardHeading>Account Confirmation</CardHeading>
      {link ? (
        <AccountActivation link={link} />
      ) : (
        <ErrorPanel>Open the link in your activation mail once more, and mind that it is not cut short.</ErrorPanel>
      )}
    </CardPage>
  );
}
