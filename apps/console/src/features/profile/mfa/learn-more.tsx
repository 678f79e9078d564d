import classes from './factor.module.css';
import { toAboutMfa } from './mfa.links.ts';

/** §2.12. Opens in a new tab, so that an open dialog keeps its state. */
export function LearnMore() {
  return (
    <a className={classes.link} href={toAboutMfa()} target="_blank" rel="noopener noreferrer">
      learn more about MFA
    </a>
  );
}
