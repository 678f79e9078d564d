import type { SiteOverview } from '@opensocial/contract';
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import { daysUntil } from '../../../patterns/time/days-left.ts';
import { type SiteStep, toConnectStep } from '../connect/connect.links.ts';
import classes from './open-points.module.css';

type OpenPoint = { text: string; action: string; step: SiteStep };

/** What is left to do until people can use a site. */
const openPointsOf = ({ on_desktop, groups, last_success, certificates }: SiteOverview): OpenPoint[] => [
  ...(last_success ? [] : [{ text: 'Nobody has signed in yet.', action: 'Test it', step: 'test' as const }]),
  ...(on_desktop ? [] : [{ text: 'It is not on the desktop.', action: 'Show it', step: 'people' as const }]),
  ...(groups > 0
    ? []
    : [
        {
          text: 'It has no group, so everybody in the network can use it.',
          action: 'Choose groups',
          step: 'people' as const,
        },
      ]),
  ...(certificates.some(({ use, not_after }) => use === 'signing' && daysUntil(not_after) <= 0)
    ? [{ text: 'The certificate of the application has ended.', action: 'See the values', step: 'values' as const }]
    : []),
];

type OpenPointsProps = {
  overview: SiteOverview;
  /** The step of the guide that is on the screen, so that it needs no link. */
  current?: SiteStep;
};

export function OpenPoints({ overview, current }: OpenPointsProps) {
  const network = useAdminNetwork();
  const points = openPointsOf(overview);
  if (points.length === 0)
    return (
      <p className={classes.done}>
        <IconCircleCheck size={18} stroke={1.8} aria-hidden="true" />
        Everything is set up.
      </p>
    );
  return (
    <ul className={classes.points}>
      {points.map(({ text, action, step }) => (
        <li key={text} className={classes.point}>
          <IconCircleDashed size={18} stroke={1.8} aria-hidden="true" />
          <span className={classes.text}>{text}</span>
          {step !== current && <Link to={toConnectStep(network.name, overview.id, step)}>{action}</Link>}
        </li>
      ))}
    </ul>
  );
}
