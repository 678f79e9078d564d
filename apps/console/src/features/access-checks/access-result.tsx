import type { AccessCheck, AccessStep, AccessTarget } from '@opensocial/contract';
import { IconSearchOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { ErrorPanel } from '../../patterns/error-panel/error-panel.tsx';
import { FactsSkeleton } from '../../patterns/facts/facts.tsx';
import { Notice } from '../../patterns/notice/notice.tsx';
import { StateBadge } from '../../patterns/state-mark/state-mark.tsx';
import { accessQuery, type Checked, isGone } from './access-checks.api.ts';
import classes from './access-result.module.css';
import { changeLink, outcomeNames, outcomeTones, stepTitles, verdictNames, verdictTones } from './access-texts.ts';

type AccessResultProps = { checked: Checked };

/** Whether a person may enter a site, with every step of the decision. */
export function AccessResult({ checked }: AccessResultProps) {
  const { data: check, ...query } = useQuery(accessQuery(checked));
  if (check) return <Decision check={check} />;
  if (query.isPending) return <FactsSkeleton label="Checking access" lines={9} />;
  if (!isGone(query.error)) return <ErrorPanel onRetry={query.refetch} retrying={query.isFetching} />;
  return (
    <Notice icon={<IconSearchOff />} title="There is nothing to check">
      The site was deleted, or the person was removed from the network.
    </Notice>
  );
}

type DecisionProps = { check: AccessCheck };

function Decision({ check }: DecisionProps) {
  const { verdict, text, steps, tile } = check;
  return (
    <div className={classes.result}>
      <div className={classes.verdict} data-verdict={verdict} role="status">
        <StateBadge tone={verdictTones[verdict]}>{verdictNames[verdict]}</StateBadge>
        <p>{text}</p>
      </div>
      <section aria-labelledby="access-steps">
        <h3 id="access-steps" className={classes.heading}>
          Steps of the decision
        </h3>
        <ol className={classes.steps}>
          {steps.map((step) => (
            <Step key={step.id} step={step} check={check} />
          ))}
        </ol>
      </section>
      <section aria-labelledby="access-tile">
        <h3 id="access-tile" className={classes.heading}>
          Desktop
        </h3>
        <div className={classes.step}>
          <StateBadge tone={tile.shown ? 'good' : 'quiet'}>{tile.shown ? 'Shown' : 'Hidden'}</StateBadge>
          <div className={classes.words}>
            <p>{tile.text}</p>
            <ChangeLinks about="Desktop" targets={tile.change_at} check={check} />
          </div>
        </div>
      </section>
    </div>
  );
}

type StepProps = { step: AccessStep; check: AccessCheck };

function Step({ step: { id, outcome, text, change_at }, check }: StepProps) {
  return (
    <li className={classes.step} data-first-refusal={check.refused_at === id || undefined}>
      <StateBadge tone={outcomeTones[outcome]}>{outcomeNames[outcome]}</StateBadge>
      <div className={classes.words}>
        <h4 className={classes.title}>{stepTitles[id]}</h4>
        <p>{text}</p>
        <ChangeLinks about={stepTitles[id]} targets={change_at} check={check} />
      </div>
    </li>
  );
}

type ChangeLinksProps = { about: string; targets: readonly AccessTarget[]; check: AccessCheck };

function ChangeLinks({ about, targets, check }: ChangeLinksProps) {
  const network = useAdminNetwork();
  if (targets.length === 0) return null;
  return (
    <p className={classes.links}>
      <span>Change in</span>
      {targets.map((target) => {
        const { label, to } = changeLink(target, network.name, check);
        return (
          <Link key={target} to={to} aria-label={`${label}, to change: ${about}`}>
            {label}
          </Link>
        );
      })}
    </p>
  );
}
