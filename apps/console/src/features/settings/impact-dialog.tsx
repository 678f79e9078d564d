import { Checkbox } from '@mantine/core';
import { type LoginReach, type PolicyReach, siteLabel } from '@opensocial/contract';
import { useState } from 'react';
import { Link } from 'react-router';
import { ConfirmDialog } from '../../patterns/confirm/confirm-dialog.tsx';
import { EffectList } from '../../patterns/confirm/effect-list.tsx';
import { FormWarning } from '../../patterns/form/form-warning.tsx';
import { countOf, formatNumber } from '../../patterns/format/format.ts';
import classes from './impact-dialog.module.css';

/** The effect of a save on existing users, or undefined if there is none. */
export type Impact = { policy?: PolicyReach | undefined; logins?: LoginReach | undefined };

type ImpactDialogProps = { impact: Impact; busy: boolean; onConfirm: () => void; onCancel: () => void };

/** Describes which users a policy affects, one text per effect. */
const effectTexts = ({ old_passwords, without_mfa, locks_out, inactive }: PolicyReach): string[] => [
  ...(old_passwords > 0
    ? [
        `${countOf(old_passwords, 'password is', 'passwords are')} older than this. A new password is required at the next sign-in.`,
      ]
    : []),
  ...(without_mfa > 0
    ? [
        `${countOf(without_mfa, 'user has', 'users have')} no second factor yet and will ${locks_out ? 'not be able to sign in any more' : 'have to set one up'}.`,
      ]
    : []),
  ...(inactive > 0
    ? [
        `${countOf(inactive, 'account has', 'accounts have')} not been used for that long and will be disabled within minutes.`,
      ]
    : []),
];

/** Whether a save affects anybody and needs a confirmation. */
export const affectsAnybody = ({ policy, logins }: Impact): boolean =>
  (policy !== undefined && (policy.locks_you_out || effectTexts(policy).length > 0)) || (logins?.count ?? 0) > 0;

export function ImpactDialog({ impact: { policy, logins }, busy, onConfirm, onCancel }: ImpactDialogProps) {
  const [isAccepted, setIsAccepted] = useState(false);
  const effects = policy ? effectTexts(policy) : [];
  const closesSites = logins !== undefined && logins.count > 0;
  return (
    <ConfirmDialog
      title="Who is affected"
      text={
        policy && effects.length > 0
          ? `Of the ${countOf(policy.users, 'active user', 'active users')} of this network:`
          : 'Without these keys, nobody will be able to sign in to some sites.'
      }
      action="Save settings"
      danger={closesSites || policy?.locks_out === true}
      disabled={policy?.locks_you_out === true || (policy?.locks_out === true && !isAccepted)}
      busy={busy}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <EffectList effects={effects} />
      {policy && <LockOut policy={policy} isAccepted={isAccepted} onAccept={setIsAccepted} />}
      {closesSites && <ClosedSites logins={logins} />}
    </ConfirmDialog>
  );
}

type LockOutProps = { policy: PolicyReach; isAccepted: boolean; onAccept: (isAccepted: boolean) => void };

/** Without a mail server, people without a second factor cannot set one up as they sign in. */
function LockOut({ policy: { locks_out, locks_you_out }, isAccepted, onAccept }: LockOutProps) {
  if (locks_you_out)
    return (
      <div className={classes.reason}>
        <FormWarning>
          <span>
            You have no second factor yourself, so you could not sign in any more. Set one up on your{' '}
            <Link to="/profile">Profile</Link> first.
          </span>
        </FormWarning>
      </div>
    );
  if (!locks_out) return null;
  return (
    <>
      <p className={classes.reason}>
        Before people set up a second factor as they sign in, they have to confirm a code that is emailed to them, and
        no mail server is set up. Ask them to set one up on their Profile before you save.
      </p>
      <Checkbox
        label="Save although these people cannot sign in"
        checked={isAccepted}
        onChange={(event) => onAccept(event.currentTarget.checked)}
      />
    </>
  );
}

type ClosedSitesProps = { logins: LoginReach };

function ClosedSites({ logins: { count, sites } }: ClosedSitesProps) {
  const others = count - sites.length;
  return (
    <>
      <p className={classes.sites}>
        {countOf(count, 'site has', 'sites have')} email login off and would have no other way to sign in that works:
      </p>
      <ul className={classes.list}>
        {sites.map((site) => (
          <li key={site.id}>{siteLabel(site)}</li>
        ))}
        {others > 0 && <li>and {formatNumber(others)} more</li>}
      </ul>
    </>
  );
}
