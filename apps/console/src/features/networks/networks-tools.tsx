import { Button } from '@mantine/core';
import { IconArrowsExchange, IconPlus } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useOwnsMainNetwork } from '../../api/session/role.ts';
import { useShellActions } from '../../patterns/shell-actions/shell-actions.ts';

const NewNetworkModal = lazy(async () => ({ default: (await import('./new-network-modal.tsx')).NewNetworkModal }));

/** The buttons beside the title: switch the network and, for owners of the main network, create one. */
export function NetworksTools() {
  const { switchNetwork } = useShellActions();
  const canCreate = useOwnsMainNetwork();
  const [creating, setCreating] = useState(false);
  return (
    <>
      <Button variant="subtle" leftSection={<IconArrowsExchange size={17} stroke={1.8} />} onClick={switchNetwork}>
        Switch to a different network
      </Button>
      {canCreate && (
        <Button leftSection={<IconPlus size={17} />} onClick={() => setCreating(true)}>
          New network
        </Button>
      )}
      <Suspense>{creating && <NewNetworkModal onClose={() => setCreating(false)} />}</Suspense>
    </>
  );
}
