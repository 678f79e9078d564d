import classes from './factor.module.css';
import { toAboutMfa } from './mfa.links.ts';

/** §2.12. In a tab of its own: what is under way in a dialog stays. */
export function LearnMore() {
  return (
    <a className={classes.link} href={toAboutMfa()} target="_blank" rel="noopener noreferrer">
      learn more about MFA
    </a>
  );
}
