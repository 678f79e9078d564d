import { useEffect, useRef, useState } from 'react';
import { usePage } from '../../patterns/page/use-page.ts';

/** Tells a screen reader the name of the screen that a navigation led to. */
export function RouteAnnouncer() {
  const { title = '' } = usePage();
  const first = useRef(title);
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (title !== first.current) setSaid(title);
    first.current = '';
  }, [title]);
  return (
    <p className="visually-hidden" role="status">
      {said}
    </p>
  );
}
