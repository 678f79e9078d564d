import { z } from 'zod';
import { page } from '../paging.ts';

/** `sso_server` is the id of its network. */
export const Group = z.object({ id: z.int(), name: z.string(), description: z.string(), sso_server: z.int() });
export type Group = z.infer<typeof Group>;

export const GroupPage = page('groups', Group, 'all_groups');
