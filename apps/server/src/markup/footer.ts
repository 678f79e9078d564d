import { createHash } from 'node:crypto';
import { toVideoEmbed } from '@opensocial/contract';
import type { Element, Nodes, Root } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { type Schema, sanitize } from 'hast-util-sanitize';
import { toHtml } from 'hast-util-to-html';
import { visit } from 'unist-util-visit';

/** What the footer's editor makes: words, headings, lists, links and videos. Whatever else is given leaves its words. */
const schema: Schema = {
  tagNames: 'p h1 h2 h3 strong b em i u s ul ol li br hr blockquote span a iframe'.split(' '),
  attributes: { '*': ['style'], a: ['href'], iframe: ['src', 'title'] },
  protocols: { href: ['http', 'https', 'mailto'] },
  strip: ['script', 'style', 'template', 'noscript', 'title', 'textarea', 'xmp', 'plaintext', 'svg', 'math', 'select'],
  ancestors: {},
  clobber: [],
  required: {},
};

const harmlessStyles: Record<string, RegExp> = {
  color: /^(?:#[0-9a-f]{3,8}|rgb\(\d{1,3}, ?\d{1,3}, ?\d{1,3}\))$/i,
  'font-size': /^(?:[89]|[1-3]\d|4[0-8])px$/,
  'text-align': /^(?:left|center|right|justify)$/,
};

const cleanStyle = (style: string): string =>
  style
    .split(';')
    .map((declaration) => declaration.split(':').map((part) => part.trim()))
    .flatMap(([name = '', value = '', ...rest]) => {
      const property = name.toLowerCase();
      return rest.length === 0 && harmlessStyles[property]?.test(value) ? [`${property}: ${value}`] : [];
    })
    .join('; ');

/**
 * A footer as it may stand on the sign-in page, which people of every network trust. It is cleaned when it is saved, and
 * once more when it is shown: whoever wrote it into the database otherwise gains nothing.
 */
export const cleanFooter = (html: string): string => toHtml(cleanTree(html));

const cleanTree = (html: string): Root => {
  const tree = sanitize(fromHtml(html, { fragment: true }), schema) as Root;
  visit(tree, 'element', (element, index, parent) => {
    const kept = dress(element);
    if (kept || !parent || index === undefined) return undefined;
    parent.children.splice(index, 1, ...element.children);
    return index;
  });
  return tree;
};

/** Settles what an element may carry; false where it may not stay. */
const dress = (element: Element): boolean => {
  const { properties, tagName } = element;
  const style = typeof properties['style'] === 'string' ? cleanStyle(properties['style']) : '';
  if (style === '') delete properties['style'];
  else properties['style'] = style;
  if (tagName === 'a') return dressLink(element);
  if (tagName === 'iframe') return dressVideo(element);
  return true;
};

/** A path on our own pages is no link that a tenant may set: it would act with the rights of whoever follows it. */
const dressLink = ({ properties }: Element): boolean => {
  if (!/^(?:https?:\/\/|mailto:)/i.test(properties['href'] ?? '')) return false;
  Object.assign(properties, { target: '_blank', rel: ['noopener', 'noreferrer', 'nofollow'] });
  return true;
};

const dressVideo = (element: Element): boolean => {
  const src = toVideoEmbed(element.properties['src'] ?? '');
  element.children = [];
  if (src === undefined) return false;
  element.properties = {
    src,
    title: element.properties['title'] || 'Video',
    loading: 'lazy',
    allowFullScreen: true,
    sandbox: ['allow-scripts', 'allow-same-origin', 'allow-presentation'],
    // YouTube plays nothing for a page that does not say where it is.
    referrerPolicy: 'strict-origin-when-cross-origin',
  };
  return true;
};

export type ShownFooter = {
  html: string;
  /** What of it the page's policy has to name. */
  styleHashes: string[];
  hasVideo: boolean;
  hasColour: boolean;
};

/** A footer with what the policy of the page around it needs to know. */
export const showFooter = (html: string): ShownFooter => {
  const tree = cleanTree(html);
  const styles = new Set<string>();
  let hasVideo = false;
  visit(tree as Nodes, 'element', ({ tagName, properties }) => {
    if (typeof properties['style'] === 'string') styles.add(properties['style']);
    hasVideo ||= tagName === 'iframe';
  });
  return {
    html: toHtml(tree),
    styleHashes: [...styles].map((style) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`),
    hasVideo,
    hasColour: [...styles].some((style) => /(?:^|; )color:/.test(style)),
  };
};
