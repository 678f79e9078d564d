import { TemplateText } from '@opensocial/contract';

/** The subject of a saved template, or '' if it has none of its own. */
export const savedSubject = (saved: string): string => TemplateText.safeParse(saved).data?.subject ?? '';
