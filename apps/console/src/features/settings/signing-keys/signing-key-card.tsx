import { Button } from '@mantine/core';
import type { SigningKey } from '@opensocial/contract';
import { useId } from 'react';
import { CopyField } from '../../../patterns/copy-field/copy-field.tsx';
import { formatDate } from '../../../patterns/format/format.ts';
import { StateBadge } from '../../../patterns/state-mark/state-mark.tsx';
import { describeEnd } from '../../../patterns/time/days-left.ts';
import { algorithmNames, countSites, nextStep, stateNames } from './signing-key-texts.ts';
import type { KeyChange } from './signing-keys.api.ts';
import classes from './signing-keys.module.css';

type SigningKeyCardProps = { signingKey: SigningKey; hasNext: boolean; onChange: (change: KeyChange) => void };

/** A key with its state, the next step and the actions that are possible in this state. */
export function SigningKeyCard({ signingKey: key, hasNext, onChange }: SigningKeyCardProps) {
  const titleId = useId();
  const end = describeEnd(key.not_after);
  return (
    <article className={classes.card} aria-labelledby={titleId}>
      <header className={classes.head}>
        <h3 id={titleId} className={classes.title}>
          {stateNames[key.state]}
        </h3>
        <StateBadge tone={end.tone}>{end.text}</StateBadge>
      </header>
      <p className={classes.facts}>
        {algorithmNames[key.algorithm]} · published since {formatDate(key.created_at)} · valid until{' '}
        {formatDate(key.not_after)}
        {key.retired_at && ` · retired on ${formatDate(key.retired_at)}`} · used by {countSites(key.sites)}
      </p>
      <p className={classes.step}>{nextStep(key, hasNext)}</p>
      <dl className={classes.values}>
        <CopyField label="SHA-256 fingerprint" value={key.fingerprint} />
        <CopyField label="Certificate" value={key.certificate} shown={`${key.certificate.slice(28, 68).trim()}…`} />
      </dl>
      <KeyActions signingKey={key} hasNext={hasNext} onChange={onChange} />
    </article>
  );
}

function KeyActions({ signingKey: key, hasNext, onChange }: SigningKeyCardProps) {
  const action = (kind: Exclude<KeyChange['kind'], 'create' | 'site'>, label: string, isMain = false) => (
    <Button variant={isMain ? 'filled' : 'default'} onClick={() => onChange({ kind, key })}>
      {label}
    </Button>
  );
  if (key.state === 'current')
    return hasNext ? <div className={classes.actions}>{action('retire', 'Retire this key')}</div> : null;
  return (
    <div className={classes.actions}>
      {key.state === 'next' && (
        <>
          {key.tried_until ? action('stop', 'Stop trying') : action('try', 'Try with my sign-ins')}
          {action('all', 'Switch all sites', true)}
        </>
      )}
      {key.state === 'retired' && action('back', 'Switch back to this key')}
      {key.sites === 0 && action('remove', 'Remove this key')}
    </div>
  );
}
