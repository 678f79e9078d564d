import type { UserRow } from '@opensocial/contract';
import { useState } from 'react';
import { PersonSelect } from '../../../patterns/person-select/person-select.tsx';

type PersonFieldProps = { onChoose: (person: UserRow | undefined) => void };

/** The choice of a member of the network, for a preview. */
export function PersonField({ onChoose }: PersonFieldProps) {
  const [chosen, setChosen] = useState<UserRow>();
  const handleChoose = (person: UserRow | undefined) => {
    setChosen(person);
    onChoose(person);
  };
  return <PersonSelect chosen={chosen} onChoose={handleChoose} autoFocus />;
}
