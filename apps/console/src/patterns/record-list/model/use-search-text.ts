import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { effectiveSearch } from './use-list-view.ts';

/** How long typing must pause before the server is asked. */
const pause = 200;

/** What stands in the search box, while the search itself follows with a pause; and follows the back button. */
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
  }, pause);

  const handleChange = (typed: string) => {
    setText(typed);
    ask(typed);
    // Clearing is at once.
    if (typed === '') ask.flush();
  };
  return [text, handleChange] as const;
};
