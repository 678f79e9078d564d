import { Link } from 'react-router';
import classes from './page-tabs.module.css';
import { usePage } from './use-page.ts';

type PageTabsProps = {
  label: string;
  /** `screen` is the value in the handles of the tab's routes, so that an open panel leaves its tab selected. */
  tabs: readonly { label: string; to: string; screen: string }[];
};

/** The tabs of a screen. Each has its own address. */
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
