export type Form = { action: string; method: string; fields: Record<string, string> };

/** The first form of a page, with the values that would be submitted. */
export const formOf = (html: string): Form | undefined => {
  const form = /<form[^>]*>[^]*?<\/form>/.exec(html)?.[0];
  if (!form) return undefined;
  const fields = [...form.matchAll(/<input[^>]*>/g)].map(
    ([input]) => [attribute(input, 'name'), attribute(input, 'value')] as const,
  );
  return {
    action: attribute(form, 'action'),
    method: attribute(form, 'method'),
    fields: Object.fromEntries(fields.filter(([name]) => name)),
  };
};

const attribute = (tag: string, name: string): string =>
  unescape(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '');

export const unescape = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
