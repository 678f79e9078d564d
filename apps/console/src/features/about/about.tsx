import { PageHeading } from '../../patterns/page/page-heading.tsx';
import classes from './about.module.css';

/** §2.1: placeholder text only. */
export function About() {
  return (
    <>
      <PageHeading title="About" />
      <p className={classes.text}>
        OpenSocial signs you in once for all the applications of your networks. More information will follow here.
      </p>
    </>
  );
}
