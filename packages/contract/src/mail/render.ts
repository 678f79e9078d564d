import { addressOwner, bareAddress, isImagePath } from './addresses.ts';
import {
  blockDefaults,
  colourOr,
  type Design,
  type DesignNode,
  mailWidth,
  numberWithin,
  readableOn,
} from './design.ts';
import { fillAddress, fillAttribute, fillText, isMergeTag, type MailValues } from './tags.ts';

/** `origin` is ours; images and our own links are on it. With values, tags are filled in; without, they stay tags. */
export type RenderOptions = { origin: string; values?: MailValues };

const font = "font-family:'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const ink = '#1a2537';
const table = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';

/**
 * A design as mail clients like it: tables, inline styles, 600 px wide and narrower on a phone. Every text and every ground
 * says its colour, so that a client that darkens mail darkens both.
 */
export const renderDesign = (design: Design, options: RenderOptions): string => {
  const page = colourOr(design.attrs?.['background'], '#ffffff');
  const rows = rowsOf(design.content ?? []).map(({ ground, blocks }) => {
    const padding = ground ? '24px 32px 8px' : '16px 32px 0';
    const inner = blocks.map((block) => renderBlock(block, { ...options, ground: ground ?? '#ffffff' })).join('');
    return `<tr><td style="padding:${padding}${ground ? `;background-color:${ground}` : ''}">${inner}</td></tr>`;
  });
  return (
    `<table ${table} width="100%" style="width:100%;background-color:${page}"><tbody><tr><td align="center" style="padding:24px 12px">` +
    `<table ${table} width="${mailWidth}" style="width:100%;max-width:${mailWidth}px;background-color:#ffffff;border-radius:12px;overflow:hidden"><tbody>` +
    `${rows.join('')}<tr><td style="height:16px;line-height:16px;font-size:1px">&nbsp;</td></tr></tbody></table></td></tr></tbody></table>`
  );
};

type Row = { ground: string | undefined; blocks: DesignNode[] };
type Context = RenderOptions & { ground: string };

/** Blocks that follow one another share a row; a section is one of its own. */
const rowsOf = (blocks: readonly DesignNode[]): Row[] => {
  const rows: Row[] = [];
  for (const block of blocks) {
    const last = rows.at(-1);
    if (block.type === 'section')
      rows.push({
        ground: colourOr(block.attrs?.['background'], blockDefaults.sectionColour),
        blocks: [...(block.content ?? [])],
      });
    else if (last && last.ground === undefined) last.blocks.push(block);
    else rows.push({ ground: undefined, blocks: [block] });
  }
  return rows;
};

const headingStyles = [
  'margin:0 0 12px;font-size:26px;line-height:1.25;font-weight:700',
  'margin:0 0 10px;font-size:20px;line-height:1.3;font-weight:700',
  'margin:0 0 8px;font-size:16px;line-height:1.4;font-weight:700',
] as const;
const textStyle = 'font-size:15px;line-height:1.6';

const renderBlock = (node: DesignNode, context: Context): string => {
  const inside = () => renderInline(node.content ?? [], context) || '&nbsp;';
  const base = `${font};color:${textOn(context.ground)};text-align:${alignOf(node)}`;
  switch (node.type) {
    case 'heading': {
      const level = numberWithin(node.attrs?.['level'], 1, 3, 1);
      return `<h${level} style="${headingStyles[level - 1]};${base}">${inside()}</h${level}>`;
    }
    case 'paragraph':
      return `<p style="margin:0 0 16px;${textStyle};${base}">${inside()}</p>`;
    case 'bulletList':
    case 'orderedList': {
      const name = node.type === 'bulletList' ? 'ul' : 'ol';
      const items = (node.content ?? []).map((item) => renderItem(item, context)).join('');
      return `<${name} style="margin:0 0 16px;padding:0 0 0 24px;${textStyle};${base}">${items}</${name}>`;
    }
    case 'horizontalRule':
      return '<hr style="margin:8px 0 24px;border:0;border-top:1px solid #c2cbd8">';
    case 'spacer': {
      const height = numberWithin(node.attrs?.['height'], 4, 200, blockDefaults.spacerHeight);
      return `<div style="height:${height}px;line-height:${height}px;font-size:1px">&nbsp;</div>`;
    }
    case 'mailButton':
      return renderButton(node, context);
    case 'mailImage':
      return renderImage(node, context);
    case 'section':
      return (node.content ?? []).map((block) => renderBlock(block, context)).join('');
    default:
      return '';
  }
};

const textOn = (ground: string): string => (readableOn(ground) === '#ffffff' ? '#ffffff' : ink);

const alignOf = ({ attrs }: DesignNode): string => {
  const align = attrs?.['textAlign'];
  return align === 'center' || align === 'right' ? align : 'left';
};

/** The paragraphs of an item are its lines. */
const renderItem = (item: DesignNode, context: Context): string => {
  const parts = (item.content ?? []).map((part) =>
    part.type === 'paragraph' ? renderInline(part.content ?? [], context) : renderBlock(part, context),
  );
  return `<li style="margin:0 0 6px">${parts.join('<br>').replaceAll(/<br>(?=<[uo]l )/g, '')}</li>`;
};

const renderButton = (node: DesignNode, context: Context): string => {
  const colour = colourOr(node.attrs?.['colour'], blockDefaults.buttonColour);
  const label = writeText(textOf(node.attrs?.['label']), context);
  const href = writeAddress(node.attrs?.['href'], context);
  const look = `display:inline-block;padding:13px 24px;${font};font-size:15px;line-height:1.2;font-weight:600;color:${readableOn(colour)};text-decoration:none;background-color:${colour};border-radius:10px`;
  const button = `<a${href && ` href="${href}"`} style="${look}">${label || '&nbsp;'}</a>`;
  return (
    `<table ${table} width="100%" style="width:100%"><tbody><tr><td align="${alignOf(node)}" style="padding:4px 0 20px">` +
    `<table ${table}><tbody><tr><td style="background-color:${colour};border-radius:10px">${button}</td></tr></tbody></table></td></tr></tbody></table>`
  );
};

const renderImage = (node: DesignNode, context: Context): string => {
  const src = textOf(node.attrs?.['src']);
  if (!isImagePath(src)) return '';
  const width = numberWithin(node.attrs?.['width'], 16, mailWidth, blockDefaults.imageWidth);
  const alt = writeAttribute(textOf(node.attrs?.['alt']), context);
  const look = 'display:inline-block;max-width:100%;height:auto;border:0';
  return `<p style="margin:0 0 16px;text-align:${alignOf(node)}"><img src="${context.origin}${src}" alt="${alt}" width="${width}" style="${look}"></p>`;
};

const renderInline = (nodes: readonly DesignNode[], context: Context): string =>
  nodes.map((node) => renderMarks(node, context)).join('');

const markElements: Readonly<Record<string, string>> = { bold: 'strong', italic: 'em', underline: 'u', strike: 's' };

const renderMarks = (node: DesignNode, context: Context): string => {
  let inner = renderLeaf(node, context);
  if (inner === '') return '';
  const marks = node.marks ?? [];
  for (const { type } of marks) {
    const name = markElements[type];
    if (name) inner = `<${name}>${inner}</${name}>`;
  }
  const colour = colourOr(marks.find(({ type }) => type === 'textStyle')?.attrs?.['color'], undefined);
  if (colour) inner = `<span style="color:${colour}">${inner}</span>`;
  const href = writeAddress(marks.find(({ type }) => type === 'link')?.attrs?.['href'], context);
  const linkColour = textOn(context.ground) === '#ffffff' ? '#ffffff' : blockDefaults.buttonColour;
  return href ? `<a href="${href}" style="color:${linkColour};text-decoration:underline">${inner}</a>` : inner;
};

const renderLeaf = (node: DesignNode, context: Context): string => {
  if (node.type === 'hardBreak') return '<br>';
  if (node.type === 'text') return writeText(node.text ?? '', context);
  const name = textOf(node.attrs?.['name']);
  return node.type === 'mergeTag' && isMergeTag(name) ? writeText(`{${name}}`, context) : '';
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const writeText = (text: string, { values }: Context): string => escape(values ? fillText(text, values) : text);

const writeAttribute = (text: string, { values }: Context): string =>
  escape(values ? fillAttribute(text, values) : text);

const writeAddress = (given: unknown, { origin, values }: Context): string => {
  const address = bareAddress(textOf(given));
  if (addressOwner(address, origin) === 'none') return '';
  return escape(values ? fillAddress(address, values) : address);
};

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');

const pageGround = /^<table[^>]*;background-color:(#[0-9a-f]{6})"/i;

/** The markup of a mail as a whole document, on the ground of its page. */
export const mailDocument = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
  `<meta name="color-scheme" content="light"><meta name="supported-color-schemes" content="light"><title>${escape(title)}</title></head>` +
  `<body style="margin:0;padding:0;background-color:${pageGround.exec(body)?.[1] ?? '#ffffff'};color:${ink}">${body}</body></html>`;
