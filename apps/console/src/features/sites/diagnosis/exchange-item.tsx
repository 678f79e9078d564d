import { Button } from '@mantine/core';
import type { SiteExchange } from '@opensocial/contract';
import { IconCheck, IconClock, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { Fact, Facts } from '../../../patterns/facts/facts.tsx';
import { Fold } from '../../../patterns/fold/fold.tsx';
import { exactTime, shortTime } from '../../../patterns/format/format.ts';
import { StateBadge, StateIcon } from '../../../patterns/state-mark/state-mark.tsx';
import { type DiagnosedSite, FindingDetails } from './finding-details.tsx';
import classes from './site-diagnosis.module.css';

type ExchangeItemProps = {
  site: DiagnosedSite;
  exchange: SiteExchange;
  isOpened: boolean;
  onFix: () => void;
};

/** One exchange: a sentence, and the details when it is opened. */
export function ExchangeItem({ site, exchange, isOpened, onFix }: ExchangeItemProps) {
  const { finding, person, facts, times, last_at, first_at } = exchange;
  // A newer exchange must not close what somebody is reading.
  const [isInitiallyOpened] = useState(isOpened);
  return (
    <li>
      <Fold
        opened={isInitiallyOpened}
        isProblem={finding.is_current}
        title={
          <span className={classes.title}>
            <OutcomeMark exchange={exchange} />
            <span className={classes.text}>
              <span className={classes.sentence}>{finding.sentence}</span>
              <span className={classes.meta}>
                <time dateTime={last_at} title={exactTime(last_at)}>
                  {shortTime(last_at)}
                </time>
                {times > 1 && <span>{`${times} times since ${shortTime(first_at)}`}</span>}
                {person && <span>{person.name ? `${person.name} (${person.email})` : person.email}</span>}
                {isSolved(exchange) && <StateBadge tone="good">Fixed since</StateBadge>}
              </span>
            </span>
          </span>
        }
      >
        <FindingDetails site={site} finding={finding}>
          {finding.fix && <Button onClick={onFix}>{finding.fix.label}</Button>}
        </FindingDetails>
        {facts.length > 0 && (
          <details className={classes.facts}>
            <summary>What the message contained</summary>
            <Facts>
              {facts.map(({ label, value }) => (
                <Fact key={label} label={label}>
                  <span className={classes.value}>{value}</span>
                </Fact>
              ))}
            </Facts>
          </details>
        )}
      </Fold>
    </li>
  );
}

const isSolved = ({ outcome, finding }: SiteExchange): boolean => outcome !== 'accepted' && !finding.is_current;

const marks = {
  refused: { icon: IconX, label: 'Failed', tone: 'bad' },
  waiting: { icon: IconClock, label: 'Waiting', tone: 'warn' },
  noticed: { icon: IconClock, label: 'Worth a look', tone: 'warn' },
  accepted: { icon: IconCheck, label: 'Worked', tone: 'good' },
} as const;

function OutcomeMark({ exchange: { outcome, finding } }: { exchange: SiteExchange }) {
  return <StateIcon {...marks[outcome === 'accepted' && finding.is_current ? 'noticed' : outcome]} />;
}
