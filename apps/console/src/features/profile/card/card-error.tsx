import { Button } from '@mantine/core';
import classes from './card-error.module.css';

type CardErrorProps = {
  /** What could not be loaded, for example "Your passkeys". */
  subject: string;
  query: { isFetching: boolean; refetch: () => unknown };
};

/** Shown in a card whose content could not be loaded. */
export function CardError({ subject, query }: CardErrorProps) {
  return (
    <div className={classes.error}>
      <p role="alert">{subject} could not be loaded.</p>
      <Button variant="default" loading={query.isFetching} onClick={() => void query.refetch()}>
        Try again
      </Button>
    </div>
  );
}
