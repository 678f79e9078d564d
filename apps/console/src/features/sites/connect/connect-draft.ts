import { z } from 'zod';

/** What was entered in the guide before the site exists. `recipe` is the id of a recipe, a protocol, or empty if nothing was chosen. */
const ConnectDraft = z.object({
  name: z.string(),
  icon: z.string(),
  recipe: z.string(),
  address: z.string(),
});
export type ConnectDraft = z.infer<typeof ConnectDraft>;

export const blankDraft: ConnectDraft = { name: '', icon: '', recipe: '', address: '' };

const keyOf = (networkId: number): string => `connect-application-${networkId}`;

/** The draft that was left in this browser. It has no secrets, so it may stay until it is finished. */
export const readDraft = (networkId: number): ConnectDraft => {
  try {
    return ConnectDraft.parse(JSON.parse(window.localStorage.getItem(keyOf(networkId)) ?? 'null'));
  } catch {
    return blankDraft;
  }
};

/** Browsers may refuse to store. The guide then works without resuming. */
export const storeDraft = (networkId: number, draft: ConnectDraft): void => {
  try {
    const isBlank = Object.values(draft).every((value) => value === '');
    if (isBlank) window.localStorage.removeItem(keyOf(networkId));
    else window.localStorage.setItem(keyOf(networkId), JSON.stringify(draft));
  } catch {
    // The draft stays in memory.
  }
};
