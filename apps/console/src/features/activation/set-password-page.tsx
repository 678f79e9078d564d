import { useQuery } from '@tanstack/react-query';
import { useLoaderData } from 'react-router';
import { CardHeading, CardPage } from '../../patterns/card-page/card-page.tsx';
import { ErrorPanel } from '../../patterns/error-panel/error-panel.tsx';
import { AccountActivation } from './account-activation.tsx';
import { linkQuery } from './activation.api.ts';
import type { ActivationLink } from './activation-link.ts';
import { ToSignIn } from './activation-results.tsx';
import { LegalFooter } from './legal-footer.tsx';

/** §2.14. */
export function SetPasswordPage() {
  const link = useLoaderData<ActivationLink | null>();
  return (
    <CardPage footer={link ? <NetworkFooter link={link} /> : <LegalFooter />}>
      <CardHeading>Account Confirmation</CardHeading>
      {link ? (
        <AccountActivation link={link} />
      ) : (
        <ErrorPanel action={<ToSignIn />}>
          Open the link that you were given again, and make sure that it is complete. If it does not work, ask for a new
          one.
        </ErrorPanel>
      )}
    </CardPage>
  );
}

type NetworkFooterProps = { link: ActivationLink };

/** The legal links of the network that sent the link, once the link is verified. */
function NetworkFooter({ link }: NetworkFooterProps) {
  const { data } = useQuery(linkQuery(link));
  return <LegalFooter termsUrl={data?.terms_of_use} privacyUrl={data?.privacy_statement} />;
}
