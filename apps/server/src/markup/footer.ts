import { createHash } from 'node:crypto';
import { toVideoEmbed } from '@opensocial/contract';
import { cleanHtml, type Element, eachElement, type HtmlRules, type Root, writeHtml } from './html.ts';

/**
 * The markup that the footer editor produces: text, headings, lists, links and videos. Other elements are replaced by
 * their text.
 */
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
 * Sanitizes a footer for the sign-in page, which people of every network trust. It is sanitized on save and again when
 * it is shown, so that content that reached the database another way does no harm.
 */
export const cleanFooter = (html: string): string => writeHtml(cleanTree(html));

const cleanTree = (html: string): Root => {
  const tree = cleanHtml(html, rules);
  removeDisallowed(tree);
  return tree;
};

/** A link or video that is not allowed is replaced by its text. */
const removeDisallowed = (parent: Root | Element): void => {
  parent.children = (parent.children as Element['children']).flatMap((child) => {
    if (child.type !== 'element') return [child];
    removeDisallowed(child);
    const prepare = preparers[child.tagName];
    return !prepare || prepare(child) ? [child] : child.children;
  });
};

/**
 * A tenant must not link to paths of our own, because such a link would act with the rights of the person who follows
 * it.
 */
const prepareLink = ({ properties }: Element): boolean => {
  if (!/^(?:https?:\/\/|mailto:)/i.test(String(properties['href']))) return false;
  Object.assign(properties, { target: '_blank', rel: ['noopener', 'noreferrer', 'nofollow'] });
  return true;
};

const prepareVideo = (element: Element): boolean => {
  const src = toVideoEmbed(String(element.properties['src']));
  element.children = [];
  if (src === undefined) return false;
  element.properties = {
    src,
    title: element.properties['title'] || 'Video',
    loading: 'lazy',
    allowFullScreen: true,
    sandbox: ['allow-scripts', 'allow-same-origin', 'allow-presentation'],
    // YouTube refuses to play if the page sends no referrer.
    referrerPolicy: 'strict-origin-when-cross-origin',
  };
  return true;
};

const preparers: Readonly<Record<string, (element: Element) => boolean>> = { a: prepareLink, iframe: prepareVideo };

export type ShownFooter = {
  html: string;
  /** Hashes of the style attributes, for the Content-Security-Policy of the page. */
  styleHashes: string[];
  hasVideo: boolean;
  hasColour: boolean;
};

/** A footer, with everything that the Content-Security-Policy of the page has to allow. */
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
