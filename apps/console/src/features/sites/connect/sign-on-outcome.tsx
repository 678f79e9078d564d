import { Button } from '@mantine/core';
import type { Site, SiteOverview } from '@opensocial/contract';
import { IconAlertTriangle, IconCircleCheck, IconExternalLink, IconHourglass } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import { networkDetailsQuery } from '../../../api/session/network-details.ts';
import { FormWarning } from '../../../patterns/form/form-warning.tsx';
import { fullTime } from '../../../patterns/format/format.ts';
import { webUrl } from '../../../patterns/links/web-url.ts';
import { Notice } from '../../../patterns/notice/notice.tsx';
import { FindingDetails } from '../diagnosis/finding-details.tsx';
import { toSiteSection } from '../sites.links.ts';

type SignOnOutcomeProps = { site: Site; overview: SiteOverview };

/** How the newest sign-in to an application went, and what to do next. */
export function SignOnOutcome({ site, overview }: SignOnOutcomeProps) {
  const [opened] = useState(() => Date.now());
  const { sign_on, last_failure } = overview;
  const finding = sign_on === 'failed' ? last_failure?.finding : undefined;
  // Mistyped passwords from before are not about this test.
  const isMistyped = last_failure && !last_failure.finding && Date.parse(last_failure.at) > opened;
  return (
    <>
      <OutcomeNotice site={site} overview={overview} action={<OpenButton site={site} overview={overview} />} />
      {finding?.is_current && <Correction site={site} finding={finding} />}
      {isMistyped && (
        <FormWarning>
          A sign-in failed on {fullTime(last_failure.at)}: {last_failure.reason}.
        </FormWarning>
      )}
    </>
  );
}

type OutcomeNoticeProps = SignOnOutcomeProps & { action: ReactNode };

function OutcomeNotice({ site, overview, action }: OutcomeNoticeProps) {
  const { sign_on, last_success, last_failure, protocol } = overview;
  switch (sign_on) {
    case 'works':
      return (
        <Notice icon={<IconCircleCheck />} tone="good" role="status" title={successTitles[protocol]} action={action}>
          {last_success && `The last sign-in was on ${fullTime(last_success.at)}.`}
          {protocol === 'saml' &&
            ` If ${site.site_name} shows you as signed in, it works. If it shows an error, start Test sign-in: its result says what to compare.`}
        </Notice>
      );
    case 'failed': {
      const finding = last_failure?.finding;
      const at = last_failure ? ` on ${fullTime(last_failure.at)}` : '';
      return finding && !finding.is_current ? (
        <Notice icon={<IconHourglass />} role="status" title="Sign in again" action={action}>
          The sign-in{at} failed. The cause has been fixed since. Sign in again to see whether it works now.
        </Notice>
      ) : (
        <Notice icon={<IconAlertTriangle />} tone="bad" role="status" title="The last sign-in failed" action={action}>
          This happened{at}. {finding?.sentence}
        </Notice>
      );
    }
    case 'unredeemed':
      return (
        <Notice
          icon={<IconHourglass />}
          role="status"
          title={`${site.site_name} has not redeemed its code yet`}
          action={action}
        >
          Somebody signed in, and {site.site_name} got a code. It has to exchange the code at our token endpoint within
          a minute. If it does not, it cannot reach our address, or it stopped because of its own error.
        </Notice>
      );
    case 'none':
      return (
        <Notice icon={<IconHourglass />} role="status" title="Waiting for the first sign-in" action={action}>
          Start Test sign-in below, or open the application in a new tab and sign in there. This page shows the result.
        </Notice>
      );
  }
}

/** An application that uses SAML does not tell us whether it accepted the answer. */
const successTitles = { saml: 'It works on our side', oidc: 'It works' } as const;

type CorrectionProps = { site: Site; finding: Parameters<typeof FindingDetails>[0]['finding'] };

/** What differs, and where it is corrected. */
function Correction({ site, finding }: CorrectionProps) {
  const network = useAdminNetwork();
  return (
    <FindingDetails site={site} finding={finding}>
      <Button variant="default" component={Link} to={toSiteSection(network.name, site, 'diagnosis')}>
        See the diagnosis
      </Button>
    </FindingDetails>
  );
}

function OpenButton({ site, overview: { id, protocol } }: SignOnOutcomeProps) {
  const network = useAdminNetwork();
  const { data } = useQuery(networkDetailsQuery(network));
  const start = protocol === 'saml' ? data?.entity_id.replace(/metadata$/, `start/${id}`) : `https://${site.domain}/`;
  const address = webUrl(site.login_url || (start ?? ''));
  return (
    address && (
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
    )
  );
}
