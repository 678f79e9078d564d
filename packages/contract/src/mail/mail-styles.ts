/**
 * The only classes that markup of a mail may have: for columns, the space between them, and elements that fill a
 * column.
 */
export const mailClasses = { column: 'mail-column', gutter: 'mail-gutter', fill: 'mail-fill' } as const;

/**
 * The stylesheet of every mail; it stacks columns on phones. It is a constant, so that the Content-Security-Policy of
 * the console can contain its hash for the preview. Mail programs that ignore it show the columns side by side.
 */
export const mailStyles =
  '@media only screen and (max-width:599px){' +
  `.${mailClasses.column}{display:block!important;width:auto!important}` +
  `.${mailClasses.gutter}{display:block!important;width:auto!important;height:8px!important;line-height:8px!important}` +
  `.${mailClasses.fill}{width:100%!important;max-width:100%!important}}`;
