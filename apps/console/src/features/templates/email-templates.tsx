import '../../patterns/form/fields.css';
import { Button } from '@mantine/core';
import type { TemplateKind } from '@opensocial/contract';
import { IconHelpCircle, IconMailPause } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { useOutbox } from '../../api/session/mail-delivery.ts';
import { ErrorPanel } from '../../patterns/error-panel/error-panel.tsx';
import { PageHeading } from '../../patterns/page/page-heading.tsx';
import { UnsavedGuard } from '../../patterns/side-panel/unsaved-guard.tsx';
import classes from './email-templates.module.css';
import { TemplateSection } from './template-section.tsx';
import { templateTexts } from './template-texts.ts';
import { templatesQuery } from './templates.api.ts';

const HelpModal = lazy(async () => ({ default: (await import('./template-help-modal.tsx')).TemplateHelpModal }));

/** §2.11, network email templates. */
export function EmailTemplates() {
  const network = useAdminNetwork();
  const templates = useQuery(templatesQuery(network));
  const outbox = useOutbox(network.name);
  const [helping, setHelping] = useState(false);
  const [unsaved, setUnsaved] = useState<ReadonlySet<TemplateKind>>(new Set());
  const handleChange = (kind: TemplateKind, isDirty: boolean) =>
    setUnsaved((kinds) => {
      if (kinds.has(kind) === isDirty) return kinds;
      const next = new Set(kinds);
      if (isDirty) next.add(kind);
      else next.delete(kind);
      return next;
    });
  return (
    <>
      <PageHeading title="Network Email Templates">
        <Button variant="default" leftSection={<IconHelpCircle size={17} />} onClick={() => setHelping(true)}>
          Help
        </Button>
      </PageHeading>
      {templates.data?.delivery === 'outbox' && outbox !== undefined && (
        <p className={classes.note} role="note">
          <IconMailPause size={20} stroke={1.7} aria-hidden="true" />
          <Undelivered outbox={outbox} />
        </p>
      )}
      {templates.isPending && <SectionSkeletons />}
      {templates.isLoadingError && <ErrorPanel onRetry={templates.refetch} retrying={templates.isFetching} />}
      {templates.data && (
        <div className={classes.sections}>
          {templateTexts.map((text) => (
            <TemplateSection
              key={text.kind}
              {...text}
              templates={templates.data}
              isUnsaved={unsaved.has(text.kind)}
              onUnsaved={(isDirty) => handleChange(text.kind, isDirty)}
            />
          ))}
        </div>
      )}
      <Suspense>{helping && <HelpModal onClose={() => setHelping(false)} />}</Suspense>
      <UnsavedGuard active={unsaved.size > 0} />
    </>
  );
}

type UndeliveredProps = { outbox: string | null };

/** Owners of the main network see the folder. Others have no access to the server, so they are told whom to ask. */
function Undelivered({ outbox }: UndeliveredProps) {
  return (
    <span>
      This server does not send mail, because <code>SMTP_URL</code> is not set.{' '}
      {outbox === null ? (
        'Emails are saved on the server. Its operator can forward them, for example a link for a forgotten password.'
      ) : (
        <>
          Emails are saved in <code>{outbox}</code>. Forward those that people need, for example a link for a forgotten
          password.
        </>
      )}
    </span>
  );
}

function SectionSkeletons() {
  return (
    <div className={classes.sections} role="status" aria-label="Loading">
      {templateTexts.map(({ kind }) => (
        <div key={kind} className={classes.skeleton} />
      ))}
    </div>
  );
}
