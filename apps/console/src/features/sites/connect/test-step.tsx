import { useNavigate } from 'react-router';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import formClasses from '../../../patterns/form/form.module.css';
import { SiteTest } from '../site-test/site-test.tsx';
import { toSiteTab } from '../sites.links.ts';
import { OpenPoints, openPointsOf } from '../sso/open-points.tsx';
import { SsoSection } from '../sso/sso-section.tsx';
import { toConnectStep } from './connect.links.ts';
import { SignOnOutcome } from './sign-on-outcome.tsx';
import { StepButtons } from './step-buttons.tsx';
import { useConnectedSite } from './use-connected-site.tsx';

/** How often the screen looks for a sign-in, in milliseconds. */
const interval = 3_000;

/** The last step: somebody signs in to the application, and the screen says how it went. */
export function TestStep() {
  const network = useAdminNetwork();
  const navigate = useNavigate();
  const { site, overview, app, placeholder } = useConnectedSite(interval);
  if (!site) return placeholder;
  return (
    <div className={formClasses.form}>
      <h2 className={formClasses.heading}>{site.site_name}</h2>
      <SignOnOutcome site={site} overview={overview} />
      <SsoSection title="Test sign-in">
        <SiteTest
          site={{ id: site.id, name: site.site_name, domain: site.domain }}
          isFilled={overview.sign_on !== 'works'}
        />
      </SsoSection>
      <SsoSection title={openPointsOf(overview).length > 0 ? 'Still open' : 'Setup'}>
        <OpenPoints overview={overview} domain={site.domain} current="test" />
      </SsoSection>
      <StepButtons
        back={toConnectStep(network.name, site.id, 'people', app)}
        action="Finish"
        onContinue={() => void navigate(toSiteTab(network.name, site, 'sso'))}
      />
    </div>
  );
}
