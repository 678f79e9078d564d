import { createHash } from 'node:crypto';
import { toVideoEmbed } from '@opensocial/contract';
import { cleanHtml, type Element, eachElement, type HtmlRules, type Root, writeHtml } from './html.ts';

/** What the footer's editor makes: words, headings, lists, links and videos. Whatever else is given leaves its words. */
const rules: HtmlRules = {
  schema: {
    tagNames: 'p h1 h2 h3 strong b em i u s ul ol li br hr blockquote span a iframe'.split(' '),
    attributes: { '*': ['style'], a: ['href'], iframe: ['src', 'title'] },
    protocols: { href: ['http', 'https', 'mailto'] },
    strip: 'script style title template noscript noembed noframes object svg math select textarea xmp plaintext'.split(
      ' ',
    ),
    ancestors: {},
    clobber: [],
    required: {},
  },
  styles: new Set(['color', 'font-size', 'text-align']),
};

/**
 * A footer as it may stand on the sign-in page, which people of every network trust. It is cleaned when it is saved, and
 * once more when it is shown: whoever wrote it into the database otherwise gains nothing.
 */
export const cleanFooter = (html: string): string => writeHtml(cleanTree(html));

const cleanTree = (html: string): Root => {
  const tree = cleanHtml(html, rules);
  keepFitting(tree);
  return tree;
};

/** A link or video that may not stay leaves its words. */
const keepFitting = (parent: Root | Element): void => {
  parent.children = (parent.children as Element['children']).flatMap((child) => {
    if (child.type !== 'element') return [child];
    keepFitting(child);
    const dress = dressers[child.tagName];
    return !dress || dress(child) ? [child] : child.children;
  });
};

/** A path on our own pages is no link that a tenant may set: it would act with the rights of whoever follows it. */
const dressLink = ({ properties }: Element): boolean => {
  if (!/^(?:https?:\/\/|mailto:)/i.test(String(properties['href']))) return false;
  Object.assign(properties, { target: '_blank', rel: ['noopener', 'noreferrer', 'nofollow'] });
  return true;
};

const dressVideo = (element: Element): boolean => {
  const src = toVideoEmbed(String(element.properties['src']));
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

const dressers: Readonly<Record<string, (element: Element) => boolean>> = { a: dressLink, iframe: dressVideo };

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
  eachElement(tree, ({ tagName, properties }) => {
    if (typeof properties['style'] === 'string') styles.add(properties['style']);
    hasVideo ||= tagName === 'iframe';
  });
  return {
    html: writeHtml(tree),
    styleHashes: [...styles].map((style) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`),
    hasVideo,
    hasColour: [...styles].some((style) => /(?:^|; ?)color:/.test(style)),
  };
};
