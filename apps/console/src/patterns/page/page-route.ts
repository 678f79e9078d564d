import type { Params, RouteObject } from 'react-router';

export type PageHandle = {
  title: string | ((params: Params) => string);
  /** A list and the panels over it are one screen: moving between them leaves the focus to the panel. */
  screen?: string;
  /** The entry of the left menu that the screen belongs to. */
  menu?: string;
  /** What stands in the place of the selected network. */
  network?: string;
};

/**
 * A screen as a value: the name that §2.1 gives its route, its path, its lazily loaded component, and what the frame around it
 * needs to know.
 */
export type PageRoute = RouteObject & { id: string; path: string; handle: PageHandle };
