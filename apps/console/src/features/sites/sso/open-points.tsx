import type { SiteOverview } from '@opensocial/contract';
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import { daysUntil } from '../../../patterns/time/days-left.ts';
import { type SiteStep, toConnectStep } from '../connect/connect.links.ts';
import { toSiteSection } from '../sites.links.ts';
import classes from './open-points.module.css';

type OpenPoint = { text: string; action: string; place: SiteStep | 'diagnosis' };

const describeFailure = ({ last_failure }: SiteOverview): string => {
  const isSolved = last_failure?.finding?.is_current === false;
  return `The last sign-in failed.${isSolved ? ' The cause has been fixed, but nobody has signed in since.' : ''}`;
};

/** Whether the connection works, which only a sign-in can tell. */
const signOnPoints = (overview: SiteOverview): OpenPoint[] => {
  switch (overview.sign_on) {
    case 'works':
      return [];
    case 'none':
      return [{ text: 'Nobody has signed in yet.', action: 'Test it', place: 'test' }];
    case 'unredeemed':
      return [{ text: 'The application has not redeemed its last code.', action: 'Test it', place: 'test' }];
    case 'failed':
      return [{ text: describeFailure(overview), action: 'See the diagnosis', place: 'diagnosis' }];
  }
};

/** What is left to do until people can use a site. */
export const openPointsOf = (overview: SiteOverview): OpenPoint[] => [
  ...signOnPoints(overview),
  ...(overview.on_desktop ? [] : [{ text: 'It is not on the desktop.', action: 'Show it', place: 'people' as const }]),
  ...(overview.certificates.some(({ use, not_after }) => use === 'signing' && daysUntil(not_after) <= 0)
    ? [{ text: 'The certificate of the application has expired.', action: 'See the values', place: 'values' as const }]
    : []),
];

type OpenPointsProps = {
  overview: SiteOverview;
  domain: string;
  /** The step of the guide that is on the screen, so that it needs no link. */
  current?: SiteStep;
};

export function OpenPoints({ overview, domain, current }: OpenPointsProps) {
  const network = useAdminNetwork();
  const points = openPointsOf(overview);
  const linkTo = (place: OpenPoint['place']): string =>
    place === 'diagnosis'
      ? toSiteSection(network.name, { id: overview.id, domain }, place)
      : toConnectStep(network.name, overview.id, place);
  if (points.length === 0)
    return (
      <p className={classes.done}>
        <IconCircleCheck size={18} stroke={1.8} aria-hidden="true" />
        Everything is set up.
      </p>
    );
  return (
    <ul className={classes.points}>
      {points.map(({ text, action, place }) => (
        <li key={text} className={classes.point}>
          <IconCircleDashed size={18} stroke={1.8} aria-hidden="true" />
          <span className={classes.text}>{text}</span>
          {place !== current && <Link to={linkTo(place)}>{action}</Link>}
        </li>
      ))}
    </ul>
  );
}
