import { z } from 'zod';
import { emptyOr, WebUrl } from '../fields.ts';

/** The name of a site, as people see it on the desktop and on the sign-in pages. */
export const SiteName = z.string().trim().min(1, 'Site name is required').max(100, 'At most 100 characters.');

/** The SVG markup of a site's icon; an empty string means no icon. */
export const SiteIcon = z.string().max(32_000);

/** What a new site can have from the beginning. Without a name it is called by its domain. */
export const newTile = {
  site_name: SiteName.optional(),
  icon: SiteIcon.optional(),
  login_url: emptyOr(WebUrl).optional(),
};
