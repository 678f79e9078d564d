import { Link } from 'react-router';
import classes from './page-tabs.module.css';
import { usePage } from './use-page.ts';

type PageTabsProps = {
  label: string;
  /** `screen` is what the tab's routes are called in their handles: a panel over a list leaves its tab marked. */
  tabs: readonly { label: string; to: string; screen: string }[];
};

/** The parts of a screen, each with an address. */
export function PageTabs({ label, tabs }: PageTabsProps) {
  const { screen } = usePage();
  return (
    <nav className={classes.tabs} aria-label={label}>
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          className={classes.tab}
          to={tab.to}
          aria-current={tab.screen === screen ? 'page' : undefined}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
