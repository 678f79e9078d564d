/** What was entered in the guide before the site exists. `recipe` is the id of a recipe, a protocol, or empty if nothing was chosen. */
export type ConnectDraft = { name: string; icon: string; recipe: string; address: string };

export const blankDraft: ConnectDraft = { name: '', icon: '', recipe: '', address: '' };

const keyOf = (networkId: number): string => `connect-application-${networkId}`;

/** Whether a stored value is a draft. Another version of the console may have stored it. */
const isDraft = (value: unknown): value is ConnectDraft =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(blankDraft).every((field) => typeof (value as Record<string, unknown>)[field] === 'string');

/** The draft that was left in this browser. It has no secrets, so it may stay until it is finished. */
export const readDraft = (networkId: number): ConnectDraft => {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(keyOf(networkId)) ?? 'null');
    return isDraft(stored) ? stored : blankDraft;
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
