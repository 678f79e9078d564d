import type { Params, RouteObject } from 'react-router';

export type PageHandle = {
  title: string | ((params: Params) => string);
  /** A list and its panels are one screen: navigation between them leaves the focus to the panel. */
  screen?: string;
  /** The entry of the left menu to which the screen belongs. */
  menu?: string;
  /** The text shown in place of the selected network. */
  network?: string;
};

/**
 * A route with a screen: the route name of §2.1, the path, the lazily loaded component, and the data that the shell
 * needs.
 */
export type PageRoute = RouteObject & { id: string; path: string; handle: PageHandle };
