import { z } from 'zod';

/** `sso_server` is the id of its network. */
export const Group = z.object({ id: z.int(), name: z.string(), description: z.string(), sso_server: z.int() });
export type Group = z.infer<typeof Group>;
