import { colourOr, ink } from './colours.ts';
import { boxOf, type Design, type DesignNode, mailMargin, mailWidth, settingOf } from './design.ts';
import { mailStyles } from './mail-styles.ts';
import { renderBlocks, renderSection, sectionSpace, sizedTable, table } from './render-blocks.ts';
import { type Context, escapeText, type RenderOptions } from './render-inline.ts';

/**
 * Renders a design for mail clients: tables, inline styles, 600 px wide and narrower on phones. Every text and
 * background has an explicit colour, so that a client with a dark mode adapts both.
 */
export const renderDesign = (design: Design, options: RenderOptions): string => {
  const page = colourOr(design.attrs?.['background'], '#ffffff');
  const context: Context = { ...options, ground: '#ffffff', ink: undefined, width: mailWidth, isColumn: false };
  const rows = rowsOf(design.content ?? []).map((row) => renderRow(row, context));
  return (
    `<table ${table} width="100%" style="width:100%;table-layout:fixed;background-color:${page}"><tbody><tr><td align="center" style="padding:24px 12px">` +
    `${sizedTable(mailWidth, ';background-color:#ffffff;border-radius:12px;overflow:hidden')}<tbody>` +
    `${rows.join('')}${spaceRow(16)}</tbody></table></td></tr></tbody></table>`
  );
};

/** Consecutive blocks share a row. A section is a row of its own with the full width. */
const rowsOf = (blocks: readonly DesignNode[]): (DesignNode | DesignNode[])[] => {
  const rows: (DesignNode | DesignNode[])[] = [];
  for (const block of blocks) {
    const last = rows.at(-1);
    if (block.type === 'section') rows.push(block);
    else if (Array.isArray(last)) last.push(block);
    else rows.push([block]);
  }
  return rows;
};

const renderRow = (row: DesignNode | DesignNode[], context: Context): string => {
  if (!Array.isArray(row)) return renderSectionRow(row, context);
  const inner = renderBlocks(row, { ...context, width: mailWidth - 2 * mailMargin });
  return `<tr><td style="padding:16px ${mailMargin}px 0">${inner}</td></tr>`;
};

/**
 * An empty row of a given height. Outlook needs the line height, because it makes an empty cell as high as a line of
 * text.
 */
const spaceRow = (height: number): string =>
  height === 0 ? '' : `<tr><td style="height:${height}px;line-height:${height}px;font-size:1px">&nbsp;</td></tr>`;

/** A section as a row of the mail. A section that is narrower than the mail is centred. */
const renderSectionRow = (node: DesignNode, context: Context): string => {
  const { above, below } = boxOf(node.attrs, sectionSpace);
  const width = settingOf(node.attrs?.['width'], 'sectionWidth', mailWidth);
  const { style, inner } = renderSection(node, context, width);
  const cell =
    width === mailWidth
      ? `<td style="${style}">${inner}</td>`
      : `<td align="center">${sizedTable(width)}<tbody><tr>` +
        `<td align="left" style="${style}">${inner}</td></tr></tbody></table></td>`;
  return `${spaceRow(above)}<tr>${cell}</tr>${spaceRow(below)}`;
};

const pageGround = /^<table[^>]*;background-color:(#[0-9a-f]{6})"/i;

/** Wraps the markup of a mail into a document with the background colour of the design. */
export const mailDocument = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
  `<meta name="color-scheme" content="light"><meta name="supported-color-schemes" content="light"><title>${escapeText(title)}</title><style>${mailStyles}</style></head>` +
  `<body style="margin:0;padding:0;background-color:${pageGround.exec(body)?.[1] ?? '#ffffff'};color:${ink}">${body}</body></html>`;
