import { ActionIcon, Button } from '@mantine/core';
import { IconArrowUp, IconPlayerPause, IconPlayerPlay, IconPointFilled } from '@tabler/icons-react';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import type { ListView } from '../../patterns/record-list/model/list-description.ts';
import classes from './follow-control.module.css';
import { useFollow } from './use-follow.ts';

type FollowControlProps = { network: NetworkRef; view: ListView };

/** Switches live updates of the log on and off. While paused, it shows the number of new lines. */
export function FollowControl({ network, view }: FollowControlProps) {
  const { state, count, toggle, pause, resume, showCollected } = useFollow(network, view);
  const isPaused = state === 'paused';
  const PauseIcon = isPaused ? IconPlayerPlay : IconPlayerPause;
  return (
    <>
      {count > 0 && (
        <Button leftSection={<IconArrowUp size={16} stroke={2} />} onClick={showCollected}>
          {count} new
        </Button>
      )}
      <Button
        variant="default"
        aria-pressed={state !== 'off'}
        leftSection={<IconPointFilled className={classes.dot} size={18} data-state={state} />}
        onClick={toggle}
      >
        Follow
      </Button>
      {state !== 'off' && (
        <ActionIcon
          variant="default"
          size={42}
          radius="md"
          aria-label={isPaused ? 'Resume' : 'Pause'}
          title={isPaused ? 'Resume' : 'Pause'}
          onClick={isPaused ? resume : pause}
        >
          <PauseIcon size={18} stroke={1.8} />
        </ActionIcon>
      )}
    </>
  );
}
