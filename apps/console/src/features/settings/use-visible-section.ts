import { useEffect, useState } from 'react';

/** The part of the window in which a section counts as visible: its upper third, below the bars. */
const rootMargin = '-120px 0px -66% 0px';

/** The id of the section that a reader of the page is at. */
export const useVisibleSection = <Id extends string>(ids: readonly Id[]): Id | undefined => {
  const [visible, setVisible] = useState(ids[0]);
  useEffect(() => {
    const shown = new Set<string>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries)
          if (isIntersecting) shown.add(target.id);
          else shown.delete(target.id);
        const first = ids.find((id) => shown.has(id));
        if (first) setVisible(first);
      },
      { rootMargin },
    );
    for (const id of ids) {
      const section = document.getElementById(id);
      if (section) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [ids]);
  return visible;
};
