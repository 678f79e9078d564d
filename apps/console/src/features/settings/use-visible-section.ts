import { useCallback, useEffect, useRef, useState } from 'react';

/** The part of the window in which a section counts as visible: its upper third, below the bars. */
const rootMargin = '-120px 0px -66% 0px';

/** What people scroll with. After a link was followed, its section stays the visible one until then. */
const scrolls = ['wheel', 'touchmove', 'keydown'] as const;

type VisibleSection<Id> = { visible: Id | undefined; follow: (id: Id) => void };

/**
 * The id of the section that a reader of the page is at. The section of a followed link may end below others, because a page cannot be
 * scrolled beyond its end.
 */
export const useVisibleSection = <Id extends string>(ids: readonly Id[]): VisibleSection<Id> => {
  const [visible, setVisible] = useState(ids[0]);
  const isFollowed = useRef(false);
  const follow = useCallback((id: Id) => {
    isFollowed.current = true;
    setVisible(id);
  }, []);
  useEffect(() => {
    const shown = new Set<string>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries)
          if (isIntersecting) shown.add(target.id);
          else shown.delete(target.id);
        const first = ids.find((id) => shown.has(id));
        if (first && !isFollowed.current) setVisible(first);
      },
      { rootMargin },
    );
    for (const id of ids) {
      const section = document.getElementById(id);
      if (section) observer.observe(section);
    }
    const scrolled = () => {
      isFollowed.current = false;
    };
    for (const type of scrolls) window.addEventListener(type, scrolled, { passive: true });
    return () => {
      observer.disconnect();
      for (const type of scrolls) window.removeEventListener(type, scrolled);
    };
  }, [ids]);
  return { visible, follow };
};
