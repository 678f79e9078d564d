import type { PasswordPolicy } from '@opensocial/contract';
import { type Icon, IconAlertCircle, IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import classes from './password-rule.module.css';
import { passwordFault } from './password-rules.ts';

type RuleState = 'open' | 'met' | 'broken';

export const ruleState = (password: string, policy: PasswordPolicy, fault: unknown): RuleState => {
  if (fault === policy.regex_message) return 'broken';
  return passwordFault(password, policy) === null ? 'met' : 'open';
};

const icons: Record<RuleState, { icon: Icon; label?: string }> = {
  open: { icon: IconCircleDashed },
  met: { icon: IconCircleCheck, label: 'Done:' },
  broken: { icon: IconAlertCircle },
};

type PasswordRuleProps = { text: string; state: RuleState };

/** The password rule of the network. Its icon shows whether the password satisfies it. */
export function PasswordRule({ text, state }: PasswordRuleProps) {
  const { icon: StateIcon, label } = icons[state];
  return (
    <span className={classes.rule} data-state={state}>
      <StateIcon className={classes.icon} size={15} {...(label ? { 'aria-label': label } : { 'aria-hidden': true })} />
      <span>{text}</span>
    </span>
  );
}
