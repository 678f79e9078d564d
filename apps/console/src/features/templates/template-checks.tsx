import type { TemplateKind } from '@opensocial/contract';
import { isMergeTag, neededTag, tagsIn } from '@opensocial/contract/mail';
import { IconAlertTriangle } from '@tabler/icons-react';
import classes from './template-checks.module.css';

type TemplateChecksProps = { kind: TemplateKind; html: string };

/** What an author ought to know before the mail is sent. */
const remarksOn = (kind: TemplateKind, html: string): string[] => {
  const tags = new Set(tagsIn(html));
  const needed = neededTag[kind];
  const unknown = [...tags].filter((tag) => !isMergeTag(tag)).map((tag) => `{${tag}}`);
  return [
    ...(needed && !tags.has(needed) ? [`{${needed}} is missing: without it the recipient cannot go on.`] : []),
    ...(unknown.length > 0
      ? [`Nobody knows ${new Intl.ListFormat('en').format(unknown)}: it is sent as it stands.`]
      : []),
  ];
};

export function TemplateChecks({ kind, html }: TemplateChecksProps) {
  const remarks = remarksOn(kind, html);
  return (
    <div role="status">
      {remarks.length > 0 && (
        <ul className={classes.remarks}>
          {remarks.map((remark) => (
            <li key={remark}>
              <IconAlertTriangle size={17} stroke={1.8} aria-hidden="true" />
              {remark}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
