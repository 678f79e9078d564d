import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { effectiveSearch } from './use-list-view.ts';

/** The debounce of the search, in milliseconds. */
const searchDelay = 200;

/** The text of the search field. The search follows with a debounce, and the text follows the back button. */
export const useSearchText = (search: string, onSearch: (search: string) => void) => {
  const [text, setText] = useState(search);
  const [seen, setSeen] = useState(search);
  if (search !== seen) {
    setSeen(search);
    if (search !== effectiveSearch(text)) setText(search);
  }
  const ask = useDebouncedCallback((typed: string) => {
    const wanted = effectiveSearch(typed);
    if (wanted !== search) onSearch(wanted);
  }, searchDelay);

  const handleChange = (typed: string) => {
    setText(typed);
    ask(typed);
    // Clearing is not debounced.
    if (typed === '') ask.flush();
  };
  return [text, handleChange] as const;
};
