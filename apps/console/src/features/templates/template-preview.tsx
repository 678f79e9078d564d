import { type Design, mailDocument, renderDesign, sampleValues } from '@opensocial/contract/mail';
import { parseMarkup } from '../../patterns/markup/markup.ts';
import { MarkupFrame } from '../../patterns/markup/markup-frame.tsx';
import classes from './template-preview.module.css';

type TemplatePreviewProps = {
  title: string;
  design: Design;
  origin: string;
  network: string;
  isPhone: boolean;
  isDark: boolean;
};

/** The rendered mail with sample values, in a sandboxed frame without scripts. */
export function TemplatePreview({ title, design, origin, network, isPhone, isDark }: TemplatePreviewProps) {
  const values = sampleValues(origin, network);
  const document = mailDocument(title, renderDesign(design, { origin, values }));
  return (
    <div className={classes.desk} data-dark={isDark || undefined}>
      <MarkupFrame
        className={classes.frame}
        data-phone={isPhone || undefined}
        title={`Preview: ${title}`}
        sandbox=""
        html={isDark ? keepImages(document) : document}
      />
      {isDark && (
        <p className={classes.note}>Email programs darken emails in different ways. This is how most of them do it.</p>
      )}
    </div>
  );
}

/** Simulates dark mode by inverting the frame, as mail programs do. Images are inverted twice, so that they keep their colours. */
const keepImages = (html: string): string => {
  const document = parseMarkup(html);
  for (const image of document.images) image.style.filter = 'invert(1) hue-rotate(180deg)';
  return `<!doctype html>${document.documentElement.outerHTML}`;
};
