import type { CertificateState } from '@opensocial/contract';
import { Fact, Facts } from '../../../patterns/facts/facts.tsx';
import { formatDate } from '../../../patterns/format/format.ts';
import { StateBadge } from '../../../patterns/state-mark/state-mark.tsx';
import { describeEnd } from '../../../patterns/time/days-left.ts';

const uses: Record<CertificateState['use'], string> = {
  identity_provider: 'Ours, which signs what we send',
  signing: 'Of the application, which signs its messages',
  encryption: 'Of the application, for which assertions are encrypted',
};

type CertificateListProps = { certificates: readonly CertificateState[] };

/** The certificates of both sides, with the days that are left. */
export function CertificateList({ certificates }: CertificateListProps) {
  return (
    <Facts>
      {certificates.map(({ use, fingerprint, not_after }) => {
        const { tone, text } = describeEnd(not_after);
        return (
          <Fact
            key={`${use} ${fingerprint}`}
            label={uses[use]}
            hint={`Valid until ${formatDate(not_after)}. SHA-256: ${fingerprint}`}
          >
            <StateBadge tone={tone}>{text}</StateBadge>
          </Fact>
        );
      })}
      {!certificates.some(({ use }) => use === 'signing') && (
        <Fact label={uses.signing}>None: messages of the application are not verified.</Fact>
      )}
    </Facts>
  );
}
