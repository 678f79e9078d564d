import { siteTitle } from '@opensocial/contract';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { useSelectedNetwork } from '../../api/session/session.ts';
import { SidePanel } from '../../patterns/side-panel/side-panel.tsx';
import { StateDot } from '../../patterns/state-mark/state-mark.tsx';
import { lineQuery } from './activity.api.ts';
import { toActivity } from './activity.links.ts';
import { LineContent } from './line-content.tsx';

/** The panel of a sign-in attempt with all its details. */
export function LinePanel() {
  const network = useSelectedNetwork();
  const lineId = Number(useParams()['line_id']);
  const { data: line } = useQuery(lineQuery(network, lineId));
  const isSuccess = line?.login_status === 'Success';
  const name = line ? siteTitle({ site_name: line.site_name, domain: line.site }) : 'Sign-in';
  const PlateIcon = isSuccess ? IconCircleCheck : IconCircleX;
  return (
    <SidePanel
      closeTo={toActivity()}
      plate={line && <PlateIcon size={24} stroke={1.7} />}
      name={name}
      detail={line && name !== line.site ? line.site : undefined}
      state={line && <StateDot tone={isSuccess ? 'good' : 'bad'}>{line.login_status}</StateDot>}
    >
      <LineContent network={network} lineId={lineId} />
    </SidePanel>
  );
}
