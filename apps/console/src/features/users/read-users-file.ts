import type { ImportRow } from '@opensocial/contract';
import { parseCsv } from '../../patterns/csv/csv.ts';

/** The accepted names of the columns. */
const names: Record<keyof ImportRow, readonly string[]> = {
  email: ['email', 'e-mail', 'email address', 'mail'],
  firstname: ['firstname', 'first name', 'first_name', 'given name'],
  lastname: ['lastname', 'last name', 'last_name', 'surname', 'family name'],
  groups: ['groups', 'group'],
};

export type UsersFile = { rows: ImportRow[] } | { fault: string };

/**
 * Reads a CSV file of users: column names in the first line, then one user per line. Groups are names, separated by a bar or
 * semicolon.
 */
export const readUsersFile = (text: string): UsersFile => {
  const [header, ...lines] = parseCsv(text);
  if (!header) return { fault: 'The file is empty.' };
  const titles = header.map((title) => title.trim().toLowerCase());
  const placeOf = (field: keyof ImportRow) => titles.findIndex((title) => names[field].includes(title));
  const places = {
    email: placeOf('email'),
    firstname: placeOf('firstname'),
    lastname: placeOf('lastname'),
    groups: placeOf('groups'),
  };
  if (places.email === -1)
    return { fault: 'The first line must contain the column names, and one of them must be email.' };
  if (lines.length === 0) return { fault: 'The file contains no users below the column names.' };
  const rows = lines.map((line) => {
    const at = (place: number) => (line[place] ?? '').trim();
    return {
      email: at(places.email).slice(0, 320),
      firstname: at(places.firstname).slice(0, 200),
      lastname: at(places.lastname).slice(0, 200),
      groups: at(places.groups)
        .split(/[|;]/)
        .map((name) => name.trim().slice(0, 200))
        .filter(Boolean)
        .slice(0, 50),
    };
  });
  return { rows };
};
