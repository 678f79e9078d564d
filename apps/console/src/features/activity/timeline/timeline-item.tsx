import type { TimelineEntry } from '@opensocial/contract';
import { IconLogin2, IconMail, IconPencil, IconShieldLock } from '@tabler/icons-react';
import { Link, useLocation } from 'react-router';
import { mainNetwork } from '../../../api/session/role.ts';
import type { NetworkRef } from '../../../api/transport/network-ref.ts';
import { exactTime, recentTime } from '../../../patterns/format/format.ts';
import { StateIcon } from '../../../patterns/state-mark/state-mark.tsx';
import { entryText } from './timeline-texts.ts';
import classes from './user-timeline-tab.module.css';

const icons = { sign_in: IconLogin2, mail: IconMail, security: IconShieldLock, change: IconPencil };
const names = { sign_in: 'Sign-in', mail: 'Email', security: 'Security', change: 'Change' };

type TimelineItemProps = { entry: TimelineEntry; network: NetworkRef };

/** One entry: when, what, and how good the news is. */
export function TimelineItem({ entry, network }: TimelineItemProps) {
  const { title, details, tone } = entryText(entry);
  return (
    <li className={classes.entry}>
      <time dateTime={entry.at} title={exactTime(entry.at)}>
        {recentTime(entry.at)}
      </time>
      <div className={classes.words}>
        <p className={classes.title}>
          <Title entry={entry} network={network}>
            {title}
          </Title>
        </p>
        {details.length > 0 && <p className={classes.details}>{details.join(' · ')}</p>}
      </div>
      <StateIcon tone={tone} icon={icons[entry.kind]} label={names[entry.kind]} />
    </li>
  );
}

type TitleProps = TimelineItemProps & { children: string };

/** A sign-in links to its line in the log of the network. Sign-ins to the console have one in the main network only. */
function Title({ entry, network, children }: TitleProps) {
  const { pathname, search } = useLocation();
  if (entry.kind !== 'sign_in' || (entry.is_console && network.name !== mainNetwork)) return children;
  return <Link to={{ pathname: pathname.replace(/timeline$/, `activity/${entry.id}`), search }}>{children}</Link>;
}
