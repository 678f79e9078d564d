import type { SiteTestCheck } from '@opensocial/contract';

/** An answer as it will be sent: what is to be known about it, and its decoded messages. */
export type AnswerDescription = { checks: SiteTestCheck[]; messages: { title: string; text: string }[] };
