import { z } from 'zod';
import { anyone, signedIn } from '../access.ts';
import { call } from '../call.ts';
import { Done } from '../fields.ts';
import { path } from '../paths.ts';

/** What a console says of a change. The server has written its own record of it; this is kept beside it, as a claim. */
export const AuditClaim = z.strictObject({
  audit_type: z.string().max(50),
  action: z.string().max(50),
  description: z.string().max(2_000),
  user: z.string().max(254),
  source: z.string().max(100),
  old_data: z.unknown().optional(),
  new_data: z.unknown().optional(),
});
export type AuditClaim = z.input<typeof AuditClaim>;

export const recordAuditClaim = call({
  method: 'POST',
  path: path('/server/audit', {}),
  summary: "Note what the console says of a change, beside the server's own record of it.",
  access: signedIn,
  body: AuditClaim,
  maxBody: 16_384,
  answer: Done,
});

export const getAddress = call({
  method: 'GET',
  path: path('/server/ip', {}),
  summary: 'The address that a request comes from.',
  access: anyone,
  answer: z.object({ ip: z.string() }),
});
