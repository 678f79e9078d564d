import type { SiteOverview } from '@opensocial/contract';
import { Fact, Facts } from '../../../patterns/facts/facts.tsx';
import { logTime } from '../../../patterns/time/log-time.ts';

type LastSignInsProps = { overview: SiteOverview };

const toSentence = (reason: string): string => `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}.`;

/** When people last signed in to a site, and when it last failed. */
export function LastSignIns({ overview: { last_success, last_failure } }: LastSignInsProps) {
  return (
    <Facts>
      <Fact label="Last sign-in">{last_success ? logTime(last_success.at) : 'None'}</Fact>
      <Fact label="Last failure" hint={last_failure && toSentence(last_failure.reason)}>
        {last_failure ? logTime(last_failure.at) : 'None'}
      </Fact>
    </Facts>
  );
}
