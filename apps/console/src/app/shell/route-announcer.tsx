import { useEffect, useRef, useState } from 'react';
import { usePage } from '../../patterns/page/use-page.ts';

/** Announces the title of the new screen to screen readers after a navigation. */
export function RouteAnnouncer() {
  const { title = '' } = usePage();
  const first = useRef(title);
  const [announcement, setAnnouncement] = useState('');
  useEffect(() => {
    if (title !== first.current) setAnnouncement(title);
    first.current = '';
  }, [title]);
  return (
    <p className="visually-hidden" role="status">
      {announcement}
    </p>
  );
}
