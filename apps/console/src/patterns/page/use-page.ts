import { type UIMatch, useMatches } from 'react-router';
import type { PageHandle } from './page-route.ts';

/** The innermost screen: what it is called, and what tells it from the one before. */
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
