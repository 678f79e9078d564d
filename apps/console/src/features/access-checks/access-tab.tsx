import { IconKey } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { Notice } from '../../patterns/notice/notice.tsx';
import type { Checked } from './access-checks.api.ts';
import { AccessResult } from './access-result.tsx';
import classes from './access-tab.module.css';

type AccessTabProps = {
  checked: Checked | undefined;
  /** The question, and what has to be chosen to answer it. */
  title: string;
  noun: string;
  /** The field for the choice. */
  children: ReactNode;
};

/** An Access tab: a choice, and below it why the person may or may not enter the site. */
export function AccessTab({ checked, title, noun, children }: AccessTabProps) {
  const tab = useRef<HTMLDivElement>(null);
  // A link in another tab of the panel leads here and disappears. Without this, the focus would be lost with it.
  useEffect(() => {
    if (document.activeElement === document.body) tab.current?.focus();
  }, []);
  return (
    <div ref={tab} className={classes.tab} tabIndex={-1}>
      {children}
      {checked ? (
        <AccessResult key={`${checked.siteId}-${checked.userId}`} checked={checked} />
      ) : (
        <Notice icon={<IconKey />} title={title}>
          Choose a {noun} to see every step of the decision, and where each can be changed.
        </Notice>
      )}
    </div>
  );
}

/** Opens another check within the panel. The search of the list below it is kept. */
export const useOpenCheck = () => {
  const { search } = useLocation();
  const navigate = useNavigate();
  return (pathname: string) => void navigate({ pathname, search }, { preventScrollReset: true });
};
