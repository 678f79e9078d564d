import { z } from 'zod';

/** The steps of the decision about a sign-in to a site. They are listed in the order in which a sign-in takes them. */
export const AccessStepId = z.enum([
  'invitation',
  'login',
  'lock',
  'confirmed',
  'active',
  'in_use',
  'factor',
  'password',
  'member',
  'unblocked',
  'site_status',
  'site_mode',
  'groups',
]);
export type AccessStepId = z.infer<typeof AccessStepId>;

/** Where the result of a step can be changed: a screen of the person, of the site, or of the network. */
export const AccessTarget = z.enum(['user', 'user_groups', 'site', 'site_groups', 'settings', 'desktop']);
export type AccessTarget = z.infer<typeof AccessTarget>;

/** `note`: the step does not refuse the person, but something about it is worth knowing, or is not known here. */
export const AccessOutcome = z.enum(['yes', 'no', 'note']);
export type AccessOutcome = z.infer<typeof AccessOutcome>;

export const AccessStep = z.object({
  id: AccessStepId,
  outcome: AccessOutcome,
  /** What was decided and why, as a sentence. */
  text: z.string(),
  change_at: z.array(AccessTarget),
});
export type AccessStep = z.infer<typeof AccessStep>;

/**
 * `conditional`: nothing that the network decides about refuses the person, but their own logins and second factors are not known here, or
 * are not shown because the person belongs to other networks too.
 */
export const AccessVerdict = z.enum(['yes', 'no', 'conditional']);
export type AccessVerdict = z.infer<typeof AccessVerdict>;

/** Whether the site is on the desktop of the person, and why. */
export const TileCheck = z.object({ shown: z.boolean(), text: z.string(), change_at: z.array(AccessTarget) });
export type TileCheck = z.infer<typeof TileCheck>;

/** Whether a person may enter a site, with every step of the decision. */
export const AccessCheck = z.object({
  user: z.object({ id: z.int(), fullname: z.string(), email: z.string() }),
  site: z.object({ id: z.int(), site_name: z.string(), domain: z.string() }),
  verdict: AccessVerdict,
  text: z.string(),
  /** The first step that refuses the person. */
  refused_at: AccessStepId.nullable(),
  steps: z.array(AccessStep),
  tile: TileCheck,
});
export type AccessCheck = z.infer<typeof AccessCheck>;
