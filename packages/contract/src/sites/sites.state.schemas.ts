import { z } from 'zod';

// Apart from the other schemas of sites, so that the console can load those of users without them.

export const SiteMode = z.enum(['Open', 'Closed']);
export type SiteMode = z.infer<typeof SiteMode>;

export const SiteStatus = z.enum(['Active', 'Disable']);
export type SiteStatus = z.infer<typeof SiteStatus>;
