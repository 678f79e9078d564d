import { isImagePath } from './addresses.ts';
import { colourOr, linkColourOn, readableOn } from './colours.ts';
import {
  blockDefaults,
  boxOf,
  columnWidths,
  type DesignNode,
  gapWithin,
  layoutOf,
  mailMargin,
  mailWidth,
  numberWithin,
  paddingBelow,
  paddingWithin,
  settingOf,
  settingRanges,
} from './design.ts';
import { mailClasses } from './mail-styles.ts';
import {
  type Context,
  escapeText,
  renderInline,
  textColour,
  textOf,
  writeAddress,
  writeAttribute,
  writeText,
} from './render-inline.ts';
import { socialAddress, socialLinksOf, socialNetworks } from './social.ts';

const font = "font-family:'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
export const table = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';
const wideTable = `<table ${table} width="100%" style="width:100%">`;
/**
 * A table with one cell. The fixed layout keeps the cell as wide as the table, so that percentages inside it are
 * relative to that width.
 */
const fixedTable = `<table ${table} width="100%" style="width:100%;table-layout:fixed">`;

/**
 * A table with a width in pixels that shrinks if there is less room. Outlook ignores max-width and prefers a width in
 * the style to the attribute, so the width is only an attribute.
 */
export const sizedTable = (width: number, style = '', attributes = ''): string =>
  `<table ${table}${attributes} width="${width}" style="max-width:100%${style}">`;

const px = (length: number): string => (length === 0 ? '0' : `${length}px`);

const cellTable = (style: string, inner: string): string =>
  `${fixedTable}<tbody><tr><td style="${style}">${inner}</td></tr></tbody></table>`;

export const renderBlocks = (blocks: readonly DesignNode[], context: Context): string =>
  blocks.map((block) => renderBlock(block, context)).join('');

/** The context inside a block. A block with its own background does not inherit the text colour of its parent. */
const within = (context: Context, background: string | undefined, chosen: string | undefined): Context => ({
  ...context,
  ground: background ?? context.ground,
  ink: chosen ?? (background ? undefined : context.ink),
});

/**
 * Renders a block with the space around it. Margins suffice for space above and below; a background or padding needs a
 * table cell, because Outlook ignores the padding of paragraphs.
 */
const renderBox = (
  node: DesignNode,
  context: Context,
  space: readonly [number, number],
  render: (margin: string, inner: Context) => string,
): string => {
  const { above, below, inside: wanted, background, ink: chosen } = boxOf(node.attrs, space);
  const inside = paddingWithin(wanted, context.width);
  const inner = within(context, background, chosen);
  const margin = `${px(above)} 0 ${px(below)}`;
  if (!background && inside === 0) return render(margin, inner);
  const ground = background ? `;background-color:${background}` : '';
  const padding = node.type === 'columns' ? paddingAround(inside) : px(inside);
  const content = render('0', { ...inner, width: context.width - 2 * inside });
  return cellTable(`padding:${margin}`, cellTable(`padding:${padding}${ground}`, content));
};

export const sectionSpace = [0, 0] as const;

/** The padding of a section or column. Its last block already has 16 px below it, so the padding below is smaller. */
const paddingAround = (inside: number): string => `${px(inside)} ${px(inside)} ${px(paddingBelow(inside))}`;

export const renderSection = (node: DesignNode, context: Context, width: number): { style: string; inner: string } => {
  const background = colourOr(node.attrs?.['background'], blockDefaults.sectionColour);
  const inside = paddingWithin(settingOf(node.attrs?.['inside'], 'inside', mailMargin), width);
  const isUsual = typeof node.attrs?.['inside'] !== 'number';
  const padding = isUsual ? `24px ${px(inside)} 8px` : paddingAround(inside);
  const inner = within(context, background, boxOf(node.attrs, sectionSpace).ink);
  return {
    style: `padding:${padding};background-color:${background}`,
    inner: renderBlocks(node.content ?? [], { ...inner, width: width - 2 * inside }),
  };
};

const headingStyles = [
  'font-size:26px;line-height:1.25;font-weight:700',
  'font-size:20px;line-height:1.3;font-weight:700',
  'font-size:16px;line-height:1.4;font-weight:700',
] as const;
const headingSpaces = [
  [0, 12],
  [0, 10],
  [0, 8],
] as const;
const textSpace = [0, 16] as const;
const textStyle = 'font-size:15px;line-height:1.6';

const renderBlock = (node: DesignNode, context: Context): string => {
  switch (node.type) {
    case 'heading': {
      const level = numberWithin(node.attrs?.['level'], 1, 3, 1) as 1 | 2 | 3;
      const style = headingStyles[level - 1];
      return renderBox(node, context, headingSpaces[level - 1] ?? textSpace, (margin, inner) =>
        renderText(`h${level}`, `margin:${margin};${style}`, node, inner),
      );
    }
    case 'paragraph':
      return renderBox(node, context, textSpace, (margin, inner) =>
        renderText('p', `margin:${margin};${textStyle}`, node, inner),
      );
    case 'bulletList':
    case 'orderedList':
      return renderBox(node, context, textSpace, (margin, inner) => renderList(node, margin, inner));
    case 'horizontalRule':
      return renderBox(
        node,
        context,
        [8, 24],
        (margin, inner) => `<hr style="margin:${margin};border:0;border-top:1px solid ${inner.ink ?? '#c2cbd8'}">`,
      );
    case 'spacer': {
      const height = settingOf(node.attrs?.['height'], 'height', blockDefaults.spacerHeight);
      return `<div style="height:${height}px;line-height:${height}px;font-size:1px">&nbsp;</div>`;
    }
    case 'mailButton':
      return renderBox(node, context, [4, 20], (margin, inner) => renderButton(node, margin, inner));
    case 'mailImage':
      return renderBox(node, context, textSpace, (margin, inner) => renderImage(node, margin, inner));
    case 'socialLinks':
      return renderBox(node, context, textSpace, (margin, inner) => renderSocial(node, margin, inner));
    case 'columns':
      return renderBox(node, context, [0, 0], (margin, inner) => renderColumns(node, margin, inner));
    case 'section': {
      const { style, inner } = renderSection(node, context, context.width);
      const { above, below } = boxOf(node.attrs, textSpace);
      return cellTable(`padding:${px(above)} 0 ${px(below)}`, cellTable(style, inner));
    }
    default:
      return '';
  }
};

const alignOf = ({ attrs }: DesignNode): string => {
  const align = attrs?.['textAlign'];
  return align === 'center' || align === 'right' ? align : 'left';
};

const renderText = (name: string, style: string, node: DesignNode, context: Context): string => {
  const inside = renderInline(node.content ?? [], context) || '&nbsp;';
  return `<${name} style="${style};${font};color:${textColour(context)};text-align:${alignOf(node)}">${inside}</${name}>`;
};

const renderList = (node: DesignNode, margin: string, context: Context): string => {
  const name = node.type === 'bulletList' ? 'ul' : 'ol';
  const items = (node.content ?? []).map((item) => renderItem(item, context)).join('');
  const base = `${font};color:${textColour(context)};text-align:${alignOf(node)}`;
  return `<${name} style="margin:${margin};padding:0 0 0 24px;${textStyle};${base}">${items}</${name}>`;
};

/** Paragraphs in a list item are rendered as lines. */
const renderItem = (item: DesignNode, context: Context): string => {
  const content = item.content ?? [];
  const parts = content.map((part) =>
    part.type === 'paragraph' ? renderInline(part.content ?? [], context) : renderBlock(part, context),
  );
  const align = content[0] ? alignOf(content[0]) : 'left';
  const style = `margin:0 0 6px${align === 'left' ? '' : `;text-align:${align}`}`;
  return `<li style="${style}">${parts.join('<br>').replaceAll(/<br>(?=<[uo]l )/g, '')}</li>`;
};

/**
 * Renders columns as cells of one row, which every mail program shows side by side, including Outlook. On phones the
 * stylesheet of `mailDocument` stacks them; mail programs that ignore stylesheets show narrower columns. Outlook
 * includes the padding in the width of a cell and reads the attribute; browsers exclude it and read the style.
 */
const renderColumns = (node: DesignNode, margin: string, context: Context): string => {
  const columns = (node.content ?? []).filter(({ type }) => type === 'column');
  const wanted = settingOf(node.attrs?.['gap'], 'gap', blockDefaults.columnGap);
  const gap = gapWithin(wanted, context.width, columns.length);
  const widths = columnWidths(context.width, columns.length, gap, layoutOf(node.attrs?.['layout'], columns.length));
  const valign = node.attrs?.['valign'] === 'middle' ? 'middle' : 'top';
  const gutter = `<td class="${mailClasses.gutter}" width="${gap}" style="width:${gap}px;font-size:1px;line-height:1px">&nbsp;</td>`;
  const cells = columns.map((column, place) => {
    const width = widths[place] ?? 0;
    const { inside: wantedInside, background, ink: chosen } = boxOf(column.attrs, [0, 0]);
    const inside = paddingWithin(wantedInside, width);
    const inner = { ...within(context, background, chosen), width: width - 2 * inside, isColumn: true };
    const padding = inside > 0 ? `;padding:${paddingAround(inside)}` : '';
    const ground = background ? `;background-color:${background}` : '';
    return (
      `<td class="${mailClasses.column}" width="${width}" valign="${valign}" style="width:${inner.width}px;vertical-align:${valign};word-break:break-word${padding}${ground}">` +
      `${renderBlocks(column.content ?? [], inner)}</td>`
    );
  });
  const row = `${wideTable}<tbody><tr>${cells.join(gap > 0 ? gutter : '')}</tr></tbody></table>`;
  return /[1-9]/.test(margin) ? cellTable(`padding:${margin}`, row) : row;
};

/** Outlook ignores the padding of a link, so the cell around it sets the same padding with Outlook's own property. */
const renderButton = (node: DesignNode, margin: string, context: Context): string => {
  const colour = colourOr(node.attrs?.['colour'], blockDefaults.buttonColour);
  const label = writeText(textOf(node.attrs?.['label']), context);
  const href = writeAddress(node.attrs?.['href'], context);
  const labelColour = boxOf(node.attrs, textSpace).ink ?? readableOn(colour);
  const least = Math.min(settingRanges.buttonWidth[0], context.width);
  const width = Math.min(numberWithin(node.attrs?.['width'], 0, mailWidth, 0), context.width);
  const isWide = width >= least;
  const shape = isWide ? 'display:block;padding:13px 12px;text-align:center' : 'display:inline-block;padding:13px 24px';
  const look = `${shape};${font};font-size:15px;line-height:1.2;font-weight:600;color:${labelColour};text-decoration:none;background-color:${colour};border-radius:10px`;
  const button = `<a${href && ` href="${href}"`} style="${look}">${label || '&nbsp;'}</a>`;
  const fills = context.isColumn && width === context.width ? ` class="${mailClasses.fill}"` : '';
  const start = isWide ? sizedTable(width, '', fills) : `<table ${table}>`;
  const cell = `${isWide ? 'align="center" ' : ''}style="background-color:${colour};border-radius:10px;mso-padding-alt:13px ${isWide ? 12 : 24}px"`;
  return (
    `${fixedTable}<tbody><tr><td align="${alignOf(node)}" style="padding:${margin}">` +
    `${start}<tbody><tr><td ${cell}>${button}</td></tr></tbody></table></td></tr></tbody></table>`
  );
};

/** An image or button that fills its column also fills the screen of a phone, where columns are stacked. */
const renderImage = (node: DesignNode, margin: string, context: Context): string => {
  const src = textOf(node.attrs?.['src']);
  if (!isImagePath(src)) return '';
  const wanted = settingOf(node.attrs?.['width'], 'imageWidth', blockDefaults.imageWidth);
  const width = Math.min(wanted, context.width);
  const alt = writeAttribute(textOf(node.attrs?.['alt']), context);
  const look = 'display:inline-block;max-width:100%;height:auto;border:0';
  const fills = context.isColumn && wanted >= context.width ? ` class="${mailClasses.fill}"` : '';
  return `<p style="margin:${margin};text-align:${alignOf(node)}"><img${fills} src="${context.origin}${src}" alt="${alt}" width="${width}" style="${look}"></p>`;
};

/**
 * Names on coloured badges or as plain links, because mails load no icons. Outlook shows the colour without the
 * padding.
 */
const renderSocial = (node: DesignNode, margin: string, context: Context): string => {
  const own = colourOr(node.attrs?.['colour'], undefined);
  const isPlain = node.attrs?.['look'] === 'text';
  const links = socialLinksOf(node.attrs?.['links']).flatMap(({ network, url }) => {
    const href = escapeText(socialAddress(url) ?? '');
    const { name, colour } = socialNetworks[network];
    const ground = own ?? colour;
    const plain = `color:${own ?? linkColourOn(context.ground, textColour(context))};text-decoration:underline`;
    const badge = `display:inline-block;padding:0 10px;border-radius:15px;line-height:30px;font-weight:600;background-color:${ground};color:${readableOn(ground)};text-decoration:none`;
    return href ? [`<a href="${href}" style="${isPlain ? plain : badge}">&nbsp;${name}&nbsp;</a>`] : [];
  });
  if (links.length === 0) return '';
  const style = `margin:${margin};font-size:13px;line-height:38px;${font};color:${textColour(context)};text-align:${alignOf(node)}`;
  return `<p style="${style}">${links.join(isPlain ? ' ' : '&nbsp; ')}</p>`;
};
