import type { TemplateKind } from '@opensocial/contract';
import { isMergeTag, secretFault, secretOf, tagsIn } from '@opensocial/contract/mail';
import { IconAlertTriangle } from '@tabler/icons-react';
import { listOf } from '../../patterns/format/format.ts';
import { toMarkupTree } from './markup-tree.ts';
import classes from './template-checks.module.css';

type TemplateChecksProps = { kind: TemplateKind; html: string; origin: string };

/** The problems of a mail: reasons why the server would refuse it, and things that readers would miss. */
const problemsOf = ({ kind, html, origin }: TemplateChecksProps): string[] => {
  const tags = new Set(tagsIn(html));
  const needed = secretOf[kind];
  const fault = secretFault(kind, toMarkupTree(html), origin);
  const unknown = [...tags].filter((tag) => !isMergeTag(tag)).map((tag) => `{${tag}}`);
  return [
    ...(fault === undefined ? [] : [fault]),
    ...(needed && !tags.has(needed) ? [`{${needed}} is missing: without it the recipient cannot continue.`] : []),
    ...(unknown.length > 0 ? [`Unknown tags are sent unchanged: ${listOf(unknown)}.`] : []),
  ];
};

export function TemplateChecks(props: TemplateChecksProps) {
  const problems = problemsOf(props);
  return (
    <div role="status">
      {problems.length > 0 && (
        <ul className={classes.problems}>
          {problems.map((problem) => (
            <li key={problem}>
              <IconAlertTriangle size={17} stroke={1.8} aria-hidden="true" />
              {problem}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
