type Policy = { createHTML: (html: string) => string };
type Factory = { createPolicy: (name: string, rules: Policy) => Policy };

/**
 * The Content-Security-Policy permits markup from this policy only. It is not exported: markup is parsed into a document that loads and runs
 * nothing, or shown in a sandboxed frame, and never becomes part of the page.
 */
const policy = (globalThis as { trustedTypes?: Factory }).trustedTypes?.createPolicy('opensocial', {
  createHTML: (html) => html,
});

const toTrusted = (html: string): string => policy?.createHTML(html) ?? html;

/** Parses markup. A parsed document loads and runs nothing. */
export const parseMarkup = (html: string): Document => new DOMParser().parseFromString(toTrusted(html), 'text/html');

/** Shows markup in a frame. Its sandbox must not allow scripts. */
export const showMarkup = (frame: HTMLIFrameElement, html: string): void => {
  if (frame.sandbox.contains('allow-scripts') || !frame.hasAttribute('sandbox'))
    throw new Error('Markup is only shown in a frame whose sandbox allows no scripts.');
  frame.srcdoc = toTrusted(html);
};
