import { ApiError, getIconImage, getImage, type TemplateKind } from '@opensocial/contract';
import {
  bareAddress,
  canLink,
  type DesignNode,
  isDesign,
  isMergeTag,
  mailClasses,
  secretFault,
  tagsIn,
} from '@opensocial/contract/mail';
import {
  cleanHtml,
  type Element,
  eachElement,
  type HtmlRules,
  type Node,
  type Root,
  UnreadableHtml,
  writeHtml,
} from '../markup/html.ts';

/**
 * Markup that mail clients display consistently, without scripts or external resources. Only classes of our own mail
 * stylesheet are allowed.
 */
const rules: HtmlRules = {
  schema: {
    tagNames:
      'table thead tbody tr td th div p h1 h2 h3 h4 h5 h6 span a img strong b em i u s br hr ul ol li blockquote center small sub sup'.split(
        ' ',
      ),
    attributes: {
      '*': ['style', 'align', 'dir', 'lang'],
      a: ['href', 'title'],
      img: ['src', 'alt', 'title', 'width', 'height', ['className', mailClasses.fill]],
      table: ['width', 'role', 'cellPadding', 'cellSpacing', 'border', 'bgColor', ['className', mailClasses.fill]],
      td: [
        'width',
        'height',
        'vAlign',
        'bgColor',
        'colSpan',
        'rowSpan',
        ['className', mailClasses.column, mailClasses.gutter],
      ],
      th: ['width', 'height', 'vAlign', 'bgColor', 'colSpan', 'rowSpan'],
    },
    // Links are checked below, where a refusal can name the reason.
    protocols: {},
    ancestors: { tbody: ['table'], thead: ['table'], tr: ['table'], td: ['table'], th: ['table'] },
  },
  styles: new Set(
    [
      'color background background-color font font-family font-size font-style font-weight line-height letter-spacing',
      'text-align text-decoration text-transform vertical-align white-space word-break overflow-wrap direction',
      'width min-width max-width height min-height max-height display overflow table-layout list-style-type',
      'margin margin-top margin-right margin-bottom margin-left padding padding-top padding-right padding-bottom padding-left',
      'border border-top border-right border-bottom border-left border-color border-style border-width border-radius',
      'border-collapse border-spacing mso-padding-alt',
    ].flatMap((line) => line.split(' ')),
  ),
};

type ParsedMarkup = { tree: Root; unknownTags: string[]; leftOut: number };

/**
 * Parses a template and removes markup that a mail must not contain. A template that would leak a secret is refused
 * instead of repaired, so that its author learns about it. For the same reason the check runs before links and images
 * are dropped.
 */
export const readMailMarkup = (html: string, kind: TemplateKind, origin: string): ParsedMarkup => {
  const tree = clean(html);
  const fault = secretFault(kind, tree, origin);
  if (fault !== undefined) throw new ApiError('template_refused', { message: fault });
  let leftOut = 0;
  eachElement(tree, (element) => {
    if (element.tagName === 'a') filterLink(element, kind, origin);
  });
  filterNodes(tree, (node) => {
    if (node.type !== 'element' || node.tagName !== 'img') return true;
    const src = ownImage(node.properties['src'], origin);
    if (src) node.properties['src'] = src;
    else leftOut += 1;
    return src !== undefined;
  });
  const unknownTags = [...new Set(textsOf(tree).flatMap(tagsIn))].filter((tag) => !isMergeTag(tag));
  return { tree, unknownTags, leftOut };
};

type StoredTemplate = { design: unknown; html: string };

/** An image in a media library. `network` is the network in the URL of an icon. */
type LibraryImage = { kind: 'image' | 'icon'; name: string; network: string | undefined };

/** The library images that a template shows, in its design or its markup. */
export const imagesOf = ({ design, html }: StoredTemplate, origin: string): LibraryImage[] => {
  const sources: unknown[] = [];
  const collect = (node: unknown): void => {
    const { attrs, content } = (node ?? {}) as Partial<DesignNode>;
    sources.push(attrs?.['src']);
    if (Array.isArray(content)) content.forEach(collect);
  };
  if (isDesign(design)) collect(design);
  eachElement(clean(html), ({ properties }) => sources.push(properties['src']));
  return sources.flatMap((src) => libraryImage(src, origin) ?? []);
};

/**
 * Removes an image of the library from a template. An empty paragraph takes its place, because blocks must not be
 * empty.
 */
export const removeImage = ({ design, html }: StoredTemplate, name: string): StoredTemplate => {
  const isShown = (src: unknown) => typeof src === 'string' && src.endsWith(`/${name}`);
  // A design is stored as it was sent, so it can contain anything.
  const emptied = (node: unknown): unknown => {
    const { attrs, content } = (node ?? {}) as Partial<DesignNode>;
    if (isShown(attrs?.['src'])) return { type: 'paragraph' };
    return Array.isArray(content) ? { ...(node as DesignNode), content: content.map(emptied) } : node;
  };
  const tree = clean(html);
  filterNodes(tree, (node) => node.type !== 'element' || !isShown(node.properties['src']));
  return { design: isDesign(design) ? emptied(design) : design, html: writeHtml(tree) };
};

/** Mails nest tables a few dozen levels deep at most. The functions that walk the tree are recursive. */
const maximumDepth = 200;

const clean = (html: string): Root => {
  try {
    const tree = cleanHtml(html, rules);
    if (depthOf(tree) > maximumDepth) throw new UnreadableHtml('The elements are nested too deeply.');
    return tree;
  } catch (error) {
    if (error instanceof UnreadableHtml)
      throw new ApiError('template_refused', { message: error.message, cause: error });
    throw error;
  }
};

/** Removes the address of a link that this kind of mail must not contain; its text stays. */
const filterLink = (element: Element, kind: TemplateKind, origin: string): void => {
  const { href, ...properties } = element.properties;
  const address = bareAddress(typeof href === 'string' ? href : '');
  element.properties = canLink(address, kind, origin) ? { ...properties, href: address } : properties;
};

/** The absolute URL of a library image, because mails are read outside our origin. */
const ownImage = (src: unknown, origin: string): string | undefined => {
  const path = ownImagePath(src, origin);
  return path === undefined ? undefined : `${origin}${path}`;
};

const ownImagePath = (src: unknown, origin: string): string | undefined => {
  const url = typeof src === 'string' && tagsIn(src).length === 0 ? URL.parse(src, origin) : null;
  if (url?.origin !== origin) return undefined;
  return getImage.path.parse(url.pathname) || getIconImage.path.parse(url.pathname) ? url.pathname : undefined;
};

const libraryImage = (src: unknown, origin: string): LibraryImage | undefined => {
  const path = ownImagePath(src, origin);
  if (path === undefined) return undefined;
  const image = getImage.path.parse(path);
  if (image) return { kind: 'image', name: image['name'] ?? '', network: undefined };
  const icon = getIconImage.path.parse(path);
  return icon && { kind: 'icon', name: icon['name'] ?? '', network: icon['server'] };
};

/** Iterative, because the tree may be too deep for recursion. */
const depthOf = (tree: Root): number => {
  let depth = 0;
  for (let level: Node[] = tree.children; level.length > 0; depth += 1)
    level = level.flatMap((node) => (node.type === 'element' ? (node.children as Node[]) : []));
  return depth;
};

const filterNodes = (parent: Root | Element, keeps: (node: Node) => boolean): void => {
  parent.children = (parent.children as Node[]).filter(keeps) as Element['children'];
  for (const child of parent.children) if (child.type === 'element') filterNodes(child, keeps);
};

const textsOf = (node: Root | Node): string[] => {
  if (node.type === 'text') return [node.value];
  const values = node.type === 'element' ? Object.values(node.properties).map(String) : [];
  return 'children' in node ? [...values, ...node.children.flatMap(textsOf)] : values;
};
