import type { SiteOverview } from '@opensocial/contract';
import { Fact, Facts } from '../../../patterns/facts/facts.tsx';
import { fullTime } from '../../../patterns/format/format.ts';

type LastSignInsProps = { overview: SiteOverview };

const toSentence = (reason: string): string => `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}.`;

const countOf = (groups: number): string => (groups === 1 ? 'one group' : `${groups} groups`);

/** Who may use a site, when people last signed in to it, and when that last failed. */
export function LastSignIns({ overview: { groups, last_success, last_failure } }: LastSignInsProps) {
  return (
    <Facts>
      <Fact label="Who may use it">
        {groups === 0 ? 'Everybody in this network' : `Only members of ${countOf(groups)}`}
      </Fact>
      <Fact label="Last sign-in">{last_success ? fullTime(last_success.at) : 'None'}</Fact>
      <Fact
        label="Last failure"
        hint={last_failure && (last_failure.finding?.sentence ?? toSentence(last_failure.reason))}
      >
        {last_failure ? fullTime(last_failure.at) : 'None'}
      </Fact>
    </Facts>
  );
}
