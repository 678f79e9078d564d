import { IconCircleCheck } from '@tabler/icons-react';
import { useEffect } from 'react';
import { tellSignedInAgain } from '../../api/sign-in/fresh-sign-in.ts';
import { Notice } from '../../patterns/notice/notice.tsx';

/** Where a fresh sign-in ends that was asked for in another tab: that one goes on, this one may go. */
export function SignedInAgain() {
  useEffect(() => {
    tellSignedInAgain();
    window.close();
  }, []);
  return (
    <Notice role="status" tone="good" icon={<IconCircleCheck />} title="You are signed in again.">
      Your other tab goes on by itself. You may close this one.
    </Notice>
  );
}
