import type { Profile, SessionUser } from '@opensocial/contract';
import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, useState } from 'react';
import { useAutosave } from '../../../patterns/form/use-autosave.ts';
import { type Names, saveNames } from './profile.api.ts';

const required = { first_name: 'Firstname is required', last_name: 'Lastname is required' };

const trimmed = ({ first_name, last_name }: Names): Names => ({
  first_name: first_name.trim(),
  last_name: last_name.trim(),
});

const isSame = (one: Names, other: Names): boolean =>
  one.first_name === other.first_name && one.last_name === other.last_name;

/** §5, Profile names: saved on change, if both names are filled in. */
export const useNames = (user: SessionUser, profile: Profile) => {
  const [names, setNames] = useState<Names>({ first_name: profile.first_name, last_name: profile.last_name });
  const [isTouched, setTouched] = useState(false);
  const saving = useMutation(saveNames(user));
  const { save, isSaved } = useAutosave((changed: Names, options) => {
    const { first_name, last_name } = changed;
    if (first_name === '' || last_name === '' || isSame(changed, profile)) return;
    saving.mutate(changed, options);
  });

  return {
    isSaved,
    error: saving.error,
    field: (name: keyof Names) => ({
      value: names[name],
      error: isTouched && names[name].trim() === '' ? required[name] : undefined,
      maxLength: 100,
      onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) => {
        const changed = { ...names, [name]: value };
        setNames(changed);
        setTouched(true);
        save(trimmed(changed));
      },
      onBlur: () => {
        setTouched(true);
        save.flush();
      },
    }),
  };
};
