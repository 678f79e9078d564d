import type { RouteObject } from 'react-router';

export type PageHandle = { title: string };

/** A screen as a value: its path, its lazily loaded component, and what the frame around it needs to know. */
export type PageRoute = RouteObject & { path: string; handle: PageHandle };
