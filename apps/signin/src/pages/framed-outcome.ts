/** The outcome of a logout request in a frame. `pending`: the site answered, and the browser will visit it too. */
export type FramedOutcome = 'informed' | 'pending' | 'failed';

/** The document that a frame ends on after its site has answered. The script of the page reads the outcome from it. */
export const renderFramedOutcome = (outcome: FramedOutcome): string =>
  `<!doctype html><html lang="en" data-outcome="${outcome}"><head><meta charset="utf-8"><title>Sign out</title></head><body></body></html>`;
