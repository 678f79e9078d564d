import { IconCircleCheck } from '@tabler/icons-react';
import { useEffect } from 'react';
import { tellSignedInAgain } from '../../api/sign-in/fresh-sign-in.ts';
import { Notice } from '../../patterns/notice/notice.tsx';

/** The page at which a fresh sign-in in another tab ends. It tells the waiting tab and closes itself. */
export function SignedInAgain() {
  useEffect(() => {
    tellSignedInAgain();
    window.close();
  }, []);
  return (
    <Notice role="status" tone="good" icon={<IconCircleCheck />} title="You are signed in again.">
      Your other tab continues automatically. You can close this tab.
    </Notice>
  );
}
