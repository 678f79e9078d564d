import { Button, Loader } from '@mantine/core';
import classes from './more-rows.module.css';

type MoreRowsProps = { loading: boolean; failed: boolean; onRetry: () => void };

/** Shown below the rows while the next page loads, or if it failed. */
export function MoreRows({ loading, failed, onRetry }: MoreRowsProps) {
  if (!loading && !failed) return null;
  return (
    <div className={classes.more} role="status">
      {loading ? (
        <>
          <Loader size={16} />
          Loading more
        </>
      ) : (
        <>
          The next rows could not be loaded.
          <Button variant="subtle" size="compact-sm" onClick={onRetry}>
            Try again
          </Button>
        </>
      )}
    </div>
  );
}
