import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { DestinationList } from './destination-list.tsx';
import { useNetworkDestinations, useScreenDestinations } from './use-destinations.ts';

type CommandPaletteProps = {
  /** The text that was typed before the code of the palette was loaded. */
  initialSearch: string;
  onClose: () => void;
};

/** Ctrl-K: finds every screen and network by a few letters. */
export function CommandPalette({ initialSearch, onClose }: CommandPaletteProps) {
  const [search, setSearch] = useState(initialSearch);
  const [asked] = useDebouncedValue(search, 150);
  const screens = useScreenDestinations(search);
  const networks = useNetworkDestinations(asked);
  return (
    <DestinationList
      title="Go to anything"
      placeholder="Go to anything"
      search={search}
      onSearch={setSearch}
      groups={[
        { label: 'Screens', destinations: screens },
        { label: 'Networks', destinations: networks.destinations },
      ]}
      busy={networks.isPending || asked !== search}
      note={networks.note}
      onClose={onClose}
    />
  );
}
