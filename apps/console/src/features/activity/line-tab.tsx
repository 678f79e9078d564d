import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link, useLocation, useParams } from 'react-router';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { LineContent } from './line-content.tsx';
import classes from './line-tab.module.css';

/** A line of the Activity tab of a site or user, opened within the panel. */
export function LineTab() {
  const network = useAdminNetwork();
  const { search } = useLocation();
  const lineId = Number(useParams()['line_id']);
  return (
    <>
      <Button
        className={classes.back ?? ''}
        component={Link}
        to={{ pathname: '..', search }}
        relative="path"
        variant="subtle"
        size="sm"
        leftSection={<IconArrowLeft size={17} stroke={1.8} />}
      >
        Back to the log
      </Button>
      <LineContent network={network} lineId={lineId} />
    </>
  );
}
