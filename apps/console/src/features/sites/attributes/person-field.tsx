import type { UserRow } from '@opensocial/contract';
import { useState } from 'react';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import { RecordSelect } from '../../../patterns/record-select/record-select.tsx';
import { membersQuery } from './site-attributes.api.ts';

type PersonFieldProps = { onChoose: (person: UserRow | undefined) => void };

const labelOf = ({ fullname, email }: UserRow): string => (fullname ? `${fullname} (${email})` : email);

/** The choice of a member of the network, for a preview. */
export function PersonField({ onChoose }: PersonFieldProps) {
  const network = useAdminNetwork();
  const [chosen, setChosen] = useState<UserRow>();
  const handleChoose = (person: UserRow | undefined) => {
    setChosen(person);
    onChoose(person);
  };
  return (
    <RecordSelect
      label="Person"
      placeholder="Search by name or email"
      query={(search) => membersQuery(network, search)}
      labelOf={labelOf}
      noun="people"
      nothingFound="Nobody in this network matches."
      chosen={chosen && { id: chosen.id, label: labelOf(chosen) }}
      onChoose={handleChoose}
      autoFocus
    />
  );
}
