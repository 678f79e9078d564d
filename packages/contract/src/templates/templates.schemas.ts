import { z } from 'zod';
import { Flag, Id, NamedNetwork } from '../fields.ts';

/** The mails for which a network can write its own template. */
export const TemplateKind = z.enum(['invitation', 'ex_user_invitation', 'signup', 'reset', 'resend', 'emailmfa']);
export type TemplateKind = z.infer<typeof TemplateKind>;

/** The title of each template on the screen and in mails to owners (§2.11). */
export const templateTitles: Readonly<Record<TemplateKind, string>> = {
  invitation: 'User Invitation by Admin',
  ex_user_invitation: "Other Network's User Invitation by Admin",
  signup: 'New User Signup from Login Page',
  reset: 'Password Reset',
  resend: 'Resend Verification',
  emailmfa: 'Email MFA Code',
};

/** The wire names of each template: its field, its switch, and the markers of the calls that change them. */
export const templateNames = {
  invitation: wireNames('inivitation_temp', 'use_invitation_temp', 'invitation'),
  ex_user_invitation: wireNames('ex_user_invtation_temp', 'use_ex_user_invtation_temp', 'ex_user_invtation'),
  signup: wireNames('signup_temp', 'use_signup_temp', 'signup'),
  reset: wireNames('reset_temp', 'use_reset_temp', 'reset'),
  resend: wireNames('resend_temp', 'use_resend_temp', 'resend'),
  emailmfa: wireNames('emailmfa_temp', 'use_emailmfa_temp', 'emailmfa'),
} as const satisfies Record<TemplateKind, object>;

function wireNames<F extends string, U extends string, M extends string>(field: F, use: U, marker: M) {
  return { field, use, updateMarker: `update_${marker}_temp`, switchMarker: `${marker}_swtich` } as const;
}

/** The maximum size of a request body with a template, in bytes. */
export const maximumTemplateBytes = 1024 * 1024;

/**
 * The maximum size of a template's markup, in bytes. Each mail contains all of it, and mail programs clip longer mails.
 */
export const maximumMarkupBytes = 100 * 1024;
export const markupTooLarge = 'The text of a template can have 100 KB at most. Shorten it, then save it again.';

export const maximumSubjectLength = 150;

/**
 * One line of text. Bidirectional control characters are refused, because they can make a subject look like another
 * one.
 */
const Subject = z
  .string()
  .trim()
  .max(maximumSubjectLength, `Enter at most ${maximumSubjectLength} characters`)
  .regex(/^[^\p{Cc}\u2028-\u202e\u2066-\u2069]*$/u, 'A subject is one line of text');

/**
 * A stored template: the editor's design, the markup rendered from it, and the subject; without one, the default
 * subject is used. A design that another editor made is kept unchanged.
 */
export const SavedTemplate = z.object({
  design: z.record(z.string(), z.unknown()).nullable(),
  html: z.string(),
  subject: Subject.optional(),
});
export type SavedTemplate = z.infer<typeof SavedTemplate>;

/** A template as JSON text, which is its form on the wire. */
export const TemplateText = z.string().transform((text, context): SavedTemplate => {
  const saved = SavedTemplate.safeParse(parseJson(text));
  if (saved.success) return saved.data;
  const isSubject = saved.error.issues[0]?.path[0] === 'subject';
  const message = (isSubject && saved.error.issues[0]?.message) || 'A template is JSON text of design and html';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * JSON text of design and html; an empty string if nothing is saved; plain text if it was saved before there were
 * designs.
 */
const templates = {
  inivitation_temp: z.string(),
  ex_user_invtation_temp: z.string(),
  signup_temp: z.string(),
  reset_temp: z.string(),
  resend_temp: z.string(),
  emailmfa_temp: z.string(),
};

const switches = {
  use_invitation_temp: Flag,
  use_ex_user_invtation_temp: Flag,
  use_signup_temp: Flag,
  use_reset_temp: Flag,
  use_resend_temp: Flag,
  use_emailmfa_temp: Flag,
};

/** A saved version of a template. `saved_by` is empty for versions from before authors were recorded. */
export const TemplateVersion = z.object({
  id: Id,
  saved_by: z.string(),
  saved_at: z.iso.datetime(),
});
export type TemplateVersion = z.infer<typeof TemplateVersion>;

/** The template fields of a network's settings. */
export const TemplateFields = z.object({ ...templates, ...switches });
export type TemplateFields = z.infer<typeof TemplateFields>;

const kinds = TemplateKind.options;
const markers = kinds.flatMap((kind) => {
  const { updateMarker, switchMarker } = templateNames[kind];
  return [updateMarker, switchMarker];
});

type Change = { kind: TemplateKind } & ({ saved: SavedTemplate } | { inUse: boolean });

/** A change of one template or one switch; the marker says which. */
export const TemplateChange = z
  .strictObject({ server: NamedNetwork, request: z.enum(markers), ...TemplateFields.partial().shape })
  .transform(({ server, request, ...fields }, context): Change & { server: string } => {
    const change = readChange(request, fields);
    if (typeof change !== 'string') return { server, ...change };
    context.addIssue({ code: 'custom', message: change });
    return z.NEVER;
  });
export type TemplateChange = z.input<typeof TemplateChange>;

type Fields = { [K in keyof TemplateFields]?: TemplateFields[K] | undefined };

const readChange = (request: (typeof markers)[number], fields: Fields): Change | string => {
  const kind = kinds.find(
    (one) => request === templateNames[one].updateMarker || request === templateNames[one].switchMarker,
  );
  if (!kind) return 'Unknown request';
  const { field, use, switchMarker } = templateNames[kind];
  const wanted = request === switchMarker ? use : field;
  if (Object.keys(fields).join() !== wanted) return `The request ${request} takes ${wanted} and no other field`;
  if (request === switchMarker) return { kind, inUse: fields[use] === 'Yes' };
  const saved = TemplateText.safeParse(fields[field]);
  return saved.success ? { kind, saved: saved.data } : (saved.error.issues[0]?.message ?? '');
};
