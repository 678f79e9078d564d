import type { SiteTestCheck } from '@opensocial/contract';

/** An answer that has not been sent yet: the checks about it, and its decoded messages. */
export type AnswerDescription = { checks: SiteTestCheck[]; messages: { title: string; text: string }[] };
