import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useOpenerFocus } from '../../../patterns/focus/use-opener-focus.ts';
import { DestinationList } from './destination-list.tsx';
import { useNetworkDestinations } from './use-destinations.ts';

type NetworkSwitcherProps = { onClose: () => void };

export function NetworkSwitcher({ onClose }: NetworkSwitcherProps) {
  useOpenerFocus();
  const [search, setSearch] = useState('');
  const [asked] = useDebouncedValue(search, 150);
  const { destinations, isPending, note } = useNetworkDestinations(asked);
  return (
    <DestinationList
      title="Switch to a different network"
      placeholder="Search your networks"
      search={search}
      onSearch={setSearch}
      groups={[{ label: 'Your networks', destinations }]}
      busy={isPending || asked !== search}
      note={note}
      onClose={onClose}
    />
  );
}
