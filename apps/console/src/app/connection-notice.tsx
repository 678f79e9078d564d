import { IconWifiOff } from '@tabler/icons-react';
import { useConnectionLost } from '../api/transport/connection.ts';
import classes from './connection-notice.module.css';

/** Shown while the server cannot be reached. It disappears when the server answers again. */
export function ConnectionNotice() {
  const lost = useConnectionLost();
  return (
    <div role="status" className={classes.place}>
      {lost && (
        <p className={classes.notice}>
          <IconWifiOff size={18} stroke={1.8} aria-hidden="true" />
          The connection is lost. What you have typed is kept, and the page continues as soon as the connection is back.
        </p>
      )}
    </div>
  );
}
