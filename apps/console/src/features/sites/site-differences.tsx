import { Checkbox } from '@mantine/core';
import type { SiteDifference, SiteRefresh } from '@opensocial/contract';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { BusyButton } from '../../patterns/busy-button/busy-button.tsx';
import { ConfirmDialog } from '../../patterns/confirm/confirm-dialog.tsx';
import form from '../../patterns/form/form.module.css';
import { showErrorField } from '../../patterns/toast/show-error-field.tsx';
import { showSuccess } from '../../patterns/toast/show-success.tsx';
import classes from './site-differences.module.css';
import { applyDifferences } from './sites.refresh.api.ts';

type SiteDifferencesProps = { site: { id: number; domain: string }; refresh: SiteRefresh };

const countChanges = (count: number): string => `${count} ${count === 1 ? 'change' : 'changes'}`;

/** The differences between the metadata and the parameters of a site, of which the owner chooses some. */
export function SiteDifferences({ site, refresh: { differences, digest } }: SiteDifferencesProps) {
  const network = useAdminNetwork();
  const titleId = useId();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [isAsking, setIsAsking] = useState(false);
  const applying = useMutation(applyDifferences(network, site.id));
  if (differences.length === 0)
    return (
      <p className={form.hint} role="status">
        The metadata says the same as the SSO parameters.
      </p>
    );
  const handleToggle = (id: string, isChosen: boolean) =>
    setChosen((former) => (isChosen ? [...former, id] : former.filter((other) => other !== id)));
  const handleConfirm = () =>
    applying.mutate(
      { digest, chosen: [...chosen] },
      {
        onError: showErrorField,
        onSuccess: () => showSuccess('Site sucessfully updated.'),
        onSettled: () => setIsAsking(false),
      },
    );
  return (
    <section className={classes.differences} aria-labelledby={titleId}>
      <h3 id={titleId} className={form.heading}>
        Differences
      </h3>
      <p className={form.hint}>
        Nothing is changed by itself. Ask the administrator of the application whether this is right, then choose what
        to apply.
      </p>
      <ul className={classes.list}>
        {differences.map((difference) => (
          <DifferenceCard
            key={difference.id}
            difference={difference}
            isChosen={chosen.includes(difference.id)}
            onToggle={(isChosen) => handleToggle(difference.id, isChosen)}
          />
        ))}
      </ul>
      <div>
        <BusyButton busy={applying.isPending} disabled={chosen.length === 0} onClick={() => setIsAsking(true)}>
          {chosen.length === 0 ? 'Apply changes' : `Apply ${countChanges(chosen.length)}`}
        </BusyButton>
      </div>
      {isAsking && (
        <ConfirmDialog
          title="Apply the metadata"
          text={`The SSO parameters of ${site.domain} change to the chosen values of its metadata. This applies to the next sign-in.`}
          action={`Apply ${countChanges(chosen.length)}`}
          busy={applying.isPending}
          onConfirm={handleConfirm}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </section>
  );
}

/** What happens if the difference is applied. */
const consequences: Record<SiteDifference['field'], string> = {
  acs: 'The data of people who sign in is sent to the new address.',
  further_acs: 'The data of people who sign in may be sent to these addresses.',
  sls: 'Sign-outs are sent to the new address.',
  certificate_added: 'Messages of the site that are signed with it are accepted.',
  certificate_removed:
    'Messages of the site that are signed with it are refused. Remove it once the site no longer uses it.',
  signed_requests: 'Requests to sign in without a signature are refused.',
  signs: 'The assertion is signed too.',
  encryption_certificate: 'Assertions are encrypted for the new certificate. The site must have its key.',
};

type DifferenceCardProps = {
  difference: SiteDifference;
  isChosen: boolean;
  onToggle: (isChosen: boolean) => void;
};

function DifferenceCard({ difference: { field, title, before, after }, isChosen, onToggle }: DifferenceCardProps) {
  return (
    <li className={classes.card}>
      <Checkbox
        label={title}
        description={consequences[field]}
        checked={isChosen}
        onChange={(event) => onToggle(event.currentTarget.checked)}
      />
      <dl className={classes.values}>
        <dt>Stored here</dt>
        <dd>{before || 'none'}</dd>
        <dt>In the metadata</dt>
        <dd>{after || 'none'}</dd>
      </dl>
    </li>
  );
}
