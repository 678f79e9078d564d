import { toConnect } from '../../../api/links/panel-links.ts';

export const siteSteps = ['values', 'people', 'test'] as const;
export type SiteStep = (typeof siteSteps)[number];

/** A step of the guide for a site that exists. `recipe` is the application whose configuration is shown. */
export const toConnectStep = (network: string, id: number, step: SiteStep, recipe = ''): string =>
  `${toConnect(network)}/${id}/${step}${recipe && `?app=${encodeURIComponent(recipe)}`}`;
