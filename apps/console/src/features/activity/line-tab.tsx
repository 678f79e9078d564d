import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link, useParams } from 'react-router';
import { useAdminNetwork } from '../../api/admin-network.ts';
import { LineContent } from './line-content.tsx';
import classes from './line-tab.module.css';

/** A line of the Activity tab of a site or user, opened within the panel. */
export function LineTab() {
  const network = useAdminNetwork();
  const lineId = Number(useParams()['line_id']);
  return (
    <>
      <Button
        className={classes.back ?? ''}
        component={Link}
        to=".."
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
