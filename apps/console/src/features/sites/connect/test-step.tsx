import { Button } from '@mantine/core';
import type { Site, SiteOverview } from '@opensocial/contract';
import { IconCircleCheck, IconExternalLink, IconHourglass } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import { networkDetailsQuery } from '../../../api/session/network-details.ts';
import formClasses from '../../../patterns/form/form.module.css';
import { FormWarning } from '../../../patterns/form/form-warning.tsx';
import { webUrl } from '../../../patterns/links/web-url.ts';
import { Notice } from '../../../patterns/notice/notice.tsx';
import { logTime } from '../../../patterns/time/log-time.ts';
import { SiteTest } from '../site-test/site-test.tsx';
import { toSiteTab } from '../sites.links.ts';
import { OpenPoints } from '../sso/open-points.tsx';
import { SsoSection } from '../sso/sso-section.tsx';
import { toConnectStep } from './connect.links.ts';
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
      <Outcome site={site} overview={overview} />
      <SsoSection title="Test sign-in">
        <SiteTest site={{ id: site.id, name: site.site_name }} isFilled={!overview.last_success} />
      </SsoSection>
      <SsoSection title="Still open">
        <OpenPoints overview={overview} current="test" />
      </SsoSection>
      <StepButtons
        back={toConnectStep(network.name, site.id, 'people', app)}
        action="Finish"
        onContinue={() => void navigate(toSiteTab(network.name, site, 'sso'))}
      />
    </div>
  );
}

type OutcomeProps = { site: Site; overview: SiteOverview };

function Outcome({ site, overview: { last_success, last_failure, id, protocol } }: OutcomeProps) {
  const network = useAdminNetwork();
  const { data } = useQuery(networkDetailsQuery(network));
  const [opened] = useState(() => Date.now());
  const start = protocol === 'saml' ? data?.entity_id.replace(/metadata$/, `start/${id}`) : `https://${site.domain}/`;
  const address = webUrl(site.login_url || (start ?? ''));
  // Failures from before are not about this test.
  const failure = last_failure && new Date(last_failure.at).getTime() > opened ? last_failure : undefined;
  const isNewer = last_success && (!failure || last_success.at > failure.at);
  const open = address && (
    <Button
      component="a"
      href={address}
      target="_blank"
      rel="noopener"
      variant="default"
      leftSection={<IconExternalLink size={16} stroke={1.8} />}
    >
      Open {site.site_name}
    </Button>
  );
  return (
    <>
      {isNewer ? (
        <Notice icon={<IconCircleCheck />} tone="good" role="status" title="It works" action={open}>
          The last sign-in was on {logTime(last_success.at)}.
        </Notice>
      ) : (
        <Notice icon={<IconHourglass />} role="status" title="Waiting for the first sign-in" action={open}>
          Open the application in a new tab and sign in there. This page shows the result.
        </Notice>
      )}
      {failure && !isNewer && (
        <FormWarning>
          A sign-in failed on {logTime(failure.at)}: {failure.reason}.
        </FormWarning>
      )}
    </>
  );
}
