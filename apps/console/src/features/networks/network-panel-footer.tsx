import { Button } from '@mantine/core';
import { IconLayoutGrid, IconLock } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { toNetworkDesktop } from '../../api/links/network-links.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';

const DefaultNetworkDialog = lazy(async () => ({
  default: (await import('./default-network-dialog.tsx')).DefaultNetworkDialog,
}));

type NetworkPanelFooterProps = { network: NetworkRef; isDefault: boolean };

export function NetworkPanelFooter({ network, isDefault }: NetworkPanelFooterProps) {
  const [asked, setAsked] = useState(false);
  return (
    <>
      {!isDefault && (
        <Button variant="default" leftSection={<IconLock size={17} stroke={1.8} />} onClick={() => setAsked(true)}>
          Set as default
        </Button>
      )}
      <Button
        component={Link}
        to={toNetworkDesktop(network.name)}
        leftSection={<IconLayoutGrid size={17} stroke={1.8} />}
      >
        Open desktop
      </Button>
      <Suspense>{asked && <DefaultNetworkDialog network={network} onClose={() => setAsked(false)} />}</Suspense>
    </>
  );
}
