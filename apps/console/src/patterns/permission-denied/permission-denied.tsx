import { IconLock } from '@tabler/icons-react';
import { Notice } from '../notice/notice.tsx';

/** §2.2: shown in place of content that the user may not see. */
export function PermissionNotice() {
  return (
    <Notice icon={<IconLock />} title="You don't have permission to access this server.">
      Please ask your server admin to give you the permission
    </Notice>
  );
}

/** The same message as a whole screen. */
export function PermissionDenied() {
  return (
    <>
      <h1 className="visually-hidden" tabIndex={-1}>
        No permission
      </h1>
      <PermissionNotice />
    </>
  );
}
