import { type UIMatch, useMatches } from 'react-router';
import type { PageHandle } from './page-route.ts';

/** The title and the screen key of the innermost matched route. */
export const usePage = () => {
  const match = useMatches().findLast(({ handle }) => handle !== undefined) as UIMatch<unknown, PageHandle> | undefined;
  const { title, screen, menu, network } = match?.handle ?? {};
  return {
    title: typeof title === 'function' ? title(match?.params ?? {}) : title,
    screen: screen ?? match?.pathname ?? '',
    menu,
    network,
  };
};
