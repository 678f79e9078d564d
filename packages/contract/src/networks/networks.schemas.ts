import { z } from 'zod';

export const Role = z.enum(['admin', 'user']);
export type Role = z.infer<typeof Role>;

/** Which sites a user's desktop shows. */
export const NetworkMode = z.enum(['AdminManaged', 'All', 'Visited']);
export type NetworkMode = z.infer<typeof NetworkMode>;

/** A network as one of its members sees it; `url` is its name. */
export const Network = z.object({ id: z.int(), sso_id: z.string(), url: z.string(), role: Role });
export type Network = z.infer<typeof Network>;
