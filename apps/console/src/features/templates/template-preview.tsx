import { type Design, mailDocument, renderDesign, sampleValues } from '@opensocial/contract/mail';
import classes from './template-preview.module.css';

type TemplatePreviewProps = { title: string; design: Design; origin: string; network: string; phone: boolean };

/** The mail as it arrives, with sample values, in a frame that runs nothing. */
export function TemplatePreview({ title, design, origin, network, phone }: TemplatePreviewProps) {
  const values = sampleValues(origin, network);
  return (
    <div className={classes.desk}>
      <iframe
        className={classes.frame}
        data-phone={phone || undefined}
        title={`Preview: ${title}`}
        sandbox=""
        srcDoc={mailDocument(title, renderDesign(design, { origin, values }))}
      />
    </div>
  );
}
