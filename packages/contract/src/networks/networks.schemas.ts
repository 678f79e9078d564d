import { z } from 'zod';
import { Email, NetworkName } from '../fields.ts';
import { InvitationLink } from '../users/users.schemas.ts';

export const Role = z.enum(['admin', 'user']);
export type Role = z.infer<typeof Role>;

/** Which sites a user's desktop shows. */
export const NetworkMode = z.enum(['AdminManaged', 'All', 'Visited']);
export type NetworkMode = z.infer<typeof NetworkMode>;

/** A network as a member sees it; `url` is its name. */
export const Network = z.object({ id: z.int(), sso_id: z.string(), url: z.string(), role: Role });
export type Network = z.infer<typeof Network>;

/** A network that was just created, with the invitation of its owner if no mail can be sent. */
export const CreatedNetwork = Network.extend({ invitation: InvitationLink.optional() });
export type CreatedNetwork = z.infer<typeof CreatedNetwork>;

/** The contents of the network panel. */
export const NetworkDetails = Network.extend({
  mode: NetworkMode,
  sites: z.int(),
  users: z.int(),
  groups: z.int(),
  owners: z.int(),
  entity_id: z.string(),
  sso_url: z.string(),
  slo_url: z.string(),
  /** The certificate of the network's signing key, in PEM. */
  certificate: z.string(),
});
export type NetworkDetails = z.infer<typeof NetworkDetails>;

/** A new network and its first owner. */
export const NetworkDraft = z.strictObject({ name: NetworkName, owner: Email });
export type NetworkDraft = z.input<typeof NetworkDraft>;
