import { z } from 'zod';

/** The first steps of a network. `mail`, `network` and `backup` concern the whole installation, so only the main network has them. */
export const SetupStep = z.enum(['mail', 'network', 'application', 'people', 'second_factor', 'branding', 'backup']);
export type SetupStep = z.infer<typeof SetupStep>;

/** The backups that the servers make by themselves. */
export const ScheduledBackups = z.object({
  /** Whether the newest one is recent and the last attempt has not failed. */
  works: z.boolean(),
  made_at: z.iso.datetime().nullable(),
  /** When the last attempt failed; null if it has succeeded. */
  failed_at: z.iso.datetime().nullable(),
  failure: z.string(),
});
export type ScheduledBackups = z.infer<typeof ScheduledBackups>;

export const GettingStarted = z.object({
  steps: z.array(z.object({ step: SetupStep, done: z.boolean() })),
  /** Whether an owner has hidden the list. */
  dismissed: z.boolean(),
  /** Whether a mail server is configured. */
  sends_mail: z.boolean(),
  /** The folder in which mails are stored without one, for owners of the main network; null for others. */
  outbox: z.string().nullable(),
  /** Null if servers make no backups by themselves, and in other networks than the main network. */
  backups: ScheduledBackups.nullable(),
});
export type GettingStarted = z.infer<typeof GettingStarted>;

export const GettingStartedChanges = z.strictObject({ dismissed: z.boolean() });
export type GettingStartedChanges = z.input<typeof GettingStartedChanges>;

/** Whether an owner of the main network says that backups are made. The program cannot know it: they may be made by other programs. */
export const BackupConfirmation = z.strictObject({ done: z.boolean() });

export const TestMail = z.object({
  /** The address that the mail was sent to. */
  to: z.string(),
  /** Why it could not be sent, as the mail server says it; empty if it was sent. */
  failure: z.string(),
});
export type TestMail = z.infer<typeof TestMail>;
