import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { DestinationList } from './destination-list.tsx';
import { useActionDestinations } from './use-action-destinations.ts';
import { useNetworkDestinations, useScreenDestinations } from './use-destinations.ts';
import { useRecordDestinations } from './use-record-destinations.ts';
import { useReferenceDestinations } from './use-reference-destinations.ts';

type CommandPaletteProps = {
  /** The text that was typed before the code of the palette was loaded. */
  initialSearch: string;
  onClose: () => void;
};

/** Ctrl-K: finds screens, actions, networks, and for administrators people, sites and groups, by a few letters, and error pages by their reference number. */
export function CommandPalette({ initialSearch, onClose }: CommandPaletteProps) {
  const [search, setSearch] = useState(initialSearch);
  const [asked] = useDebouncedValue(search, 150);
  const screens = useScreenDestinations(search);
  const actions = useActionDestinations(search);
  const records = useRecordDestinations(asked);
  const references = useReferenceDestinations(asked);
  const networks = useNetworkDestinations(asked);
  return (
    <DestinationList
      title="Go to anything"
      placeholder="Go to anything"
      search={search}
      onSearch={setSearch}
      groups={[
        { label: 'Error page', destinations: references.destinations },
        { label: 'Screens', destinations: screens },
        { label: 'Actions', destinations: actions },
        ...records.groups,
        { label: 'Networks', destinations: networks.destinations },
      ]}
      busy={networks.isPending || records.isPending || references.isPending || asked !== search}
      note={networks.note}
      missing={references.missing}
      onClose={onClose}
    />
  );
}
