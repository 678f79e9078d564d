import { Button, SegmentedControl, Switch, TextInput } from '@mantine/core';
import { ApiError, maximumSubjectLength, type TemplateKind } from '@opensocial/contract';
import {
  type Design,
  defaultDesigns,
  defaultSubjects,
  fillAttribute,
  renderDesign,
  sampleValues,
  subjectFault,
} from '@opensocial/contract/mail';
import { IconHistory, IconSend, IconWand } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { Editor, JSONContent } from '@tiptap/core';
import { lazy, Suspense, useRef, useState } from 'react';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { errorText } from '../../api/transport/error-text.ts';
import { BusyButton } from '../../patterns/busy-button/busy-button.tsx';
import { ConfirmDialog } from '../../patterns/confirm/confirm-dialog.tsx';
import { logTime } from '../../patterns/time/log-time.ts';
import { showError } from '../../patterns/toast/show-error.tsx';
import { showFault } from '../../patterns/toast/show-fault.tsx';
import { showNotice } from '../../patterns/toast/show-notice.tsx';
import { showSuccess } from '../../patterns/toast/show-success.tsx';
import type { MailEditorProps } from './editor/mail-editor.tsx';
import { savedSubject } from './saved-subject.ts';
import { TemplateChecks } from './template-checks.tsx';
import classes from './template-form.module.css';
import { TemplatePreview } from './template-preview.tsx';
import { tagTexts } from './template-texts.ts';
import { saveTemplate, sendTest } from './templates.api.ts';

const loadEditor = async (): Promise<{ default: (props: MailEditorProps) => React.ReactNode }> => {
  try {
    return { default: (await import('./editor/mail-editor.tsx')).MailEditor };
  } catch {
    return { default: MissingEditor };
  }
};
const MailEditor = lazy(loadEditor);
const TemplateHistory = lazy(async () => ({ default: (await import('./template-history.tsx')).TemplateHistory }));

type TemplateFormProps = {
  kind: TemplateKind;
  name: string;
  title: string;
  saved: string;
  origin: string;
  onUnsaved: (isUnsaved: boolean) => void;
};

const views = [
  { value: 'edit', label: 'Edit' },
  { value: 'desktop', label: 'Desktop' },
  { value: 'phone', label: 'Phone' },
];

const startText = 'Start from the default design';

/** The words of a mail: edited, looked at, tried and saved. */
export function TemplateForm({ kind, name, title, saved, origin, onUnsaved }: TemplateFormProps) {
  const network = useAdminNetwork();
  const saving = useMutation(saveTemplate(network, kind));
  const testing = useMutation(sendTest(network, kind));
  const [editor, setEditor] = useState<Editor>();
  const [design, setDesign] = useState<Design>();
  const [subject, setSubject] = useState(() => savedSubject(saved));
  const [view, setView] = useState('edit');
  const [isDark, setIsDark] = useState(false);
  const [asking, setAsking] = useState(false);
  const [isHistoryOpen, setIsHistoryOpen] = useState(false);
  /** What the server has, as the editor writes it, and what is in the editor. */
  const kept = useRef<Words>(undefined);
  const current = useRef<Words>({ design: '', subject });
  const html = design && renderDesign(design, { origin });
  const isBlank = design !== undefined && editor?.isEmpty === true;
  const fault = subjectFault(subject);

  const noteChange = (changed: Partial<Words>) => {
    current.current = { ...current.current, ...changed };
    kept.current ??= current.current;
    onUnsaved(isDifferent(current.current, kept.current));
  };
  const handleChange = (changed: Design) => {
    setDesign(changed);
    noteChange({ design: JSON.stringify(changed) });
  };
  const handleSubject = (changed: string) => {
    setSubject(changed);
    noteChange({ subject: changed });
  };
  const takeTemplate = (act: (template: string) => void) => {
    if (!editor || !design) showFault('Editor not initialized');
    else if (fault !== undefined) showFault(fault);
    else act(JSON.stringify({ design, html, ...(subject.trim() !== '' && { subject }) }));
  };
  const handleSave = () => {
    const sent = current.current;
    takeTemplate((template) =>
      saving.mutate(template, {
        onSuccess: ({ unknown_tags, left_out }) => {
          kept.current = sent;
          onUnsaved(isDifferent(current.current, sent));
          showSuccess(`${name} template updated successfully`);
          if (unknown_tags.length > 0) showNotice(`Sent as they stand: ${unknown_tags.join(', ')}`);
          if (left_out > 0) showNotice('Images that are not of the media library were left out.');
        },
        onError: (error) =>
          showFault(error instanceof ApiError ? errorText(error) : `Failed to update ${name} template`),
      }),
    );
  };
  const handleTest = () =>
    takeTemplate((template) =>
      testing.mutate(template, { onSuccess: ({ message }) => showSuccess(message), onError: showError }),
    );
  const begin = () => {
    setAsking(false);
    setView('edit');
    if (editor) replaceDesign(editor, defaultDesigns[kind]);
  };
  const handleDefault = () => {
    if (!editor) showFault('Editor not initialized');
    else if (editor.isEmpty) begin();
    else setAsking(true);
  };
  const handleRestore: React.ComponentProps<typeof TemplateHistory>['onRestore'] = (version) => {
    setIsHistoryOpen(false);
    setView('edit');
    if (!editor) return;
    replaceDesign(editor, version.design);
    handleSubject(version.subject);
    showNotice(`The version of ${logTime(version.saved_at)} is in the editor. It is used once you save it.`);
  };
  return (
    <div className={classes.form}>
      <div className={classes.bar}>
        <div className={classes.tools}>
          <SegmentedControl size="sm" aria-label={`View: ${title}`} value={view} onChange={setView} data={views} />
          {view !== 'edit' && (
            <Switch label="Dark mode" checked={isDark} onChange={(event) => setIsDark(event.currentTarget.checked)} />
          )}
        </div>
        <div className={classes.tools}>
          {!isBlank && (
            <Button variant="subtle" size="sm" leftSection={<IconWand size={16} />} onClick={handleDefault}>
              {startText}
            </Button>
          )}
          <Button
            variant="subtle"
            size="sm"
            leftSection={<IconHistory size={16} />}
            onClick={() => setIsHistoryOpen(true)}
          >
            Version history
          </Button>
        </div>
      </div>
      <TextInput
        className={classes.subject ?? ''}
        label="Subject"
        description={`Leave it empty to send our own: ${fillAttribute(defaultSubjects[kind], sampleValues(origin, network.name))}`}
        placeholder={defaultSubjects[kind]}
        maxLength={maximumSubjectLength}
        value={subject}
        error={fault}
        onChange={(event) => handleSubject(event.currentTarget.value)}
      />
      {isBlank && view === 'edit' && (
        <div className={classes.blank}>
          <p>
            This mail is blank. Type in the page below, press <kbd>/</kbd> to add a block, or begin with our own design.
          </p>
          <Button size="sm" variant="default" leftSection={<IconWand size={16} />} onClick={handleDefault}>
            {startText}
          </Button>
        </div>
      )}
      <div hidden={view !== 'edit'}>
        <Suspense fallback={<div className={classes.waiting} role="status" aria-label="Loading the editor" />}>
          <MailEditor
            kind={kind}
            saved={saved}
            origin={origin}
            network={network.name}
            label={title}
            tagTexts={tagTexts}
            onReady={setEditor}
            onChange={handleChange}
          />
        </Suspense>
      </div>
      {design && view !== 'edit' && (
        <TemplatePreview
          title={title}
          design={design}
          origin={origin}
          network={network.name}
          isPhone={view === 'phone'}
          isDark={isDark}
        />
      )}
      {html !== undefined && !editor?.isEmpty && <TemplateChecks kind={kind} html={html} origin={origin} />}
      <div className={classes.buttons}>
        <BusyButton
          variant="default"
          leftSection={<IconSend size={16} />}
          busy={testing.isPending}
          onClick={handleTest}
        >
          Send a test to me
        </BusyButton>
        <BusyButton busy={saving.isPending} busyText="please wait ...." onClick={handleSave}>
          save settings
        </BusyButton>
      </div>
      {asking && (
        <ConfirmDialog
          title="Start from the default design?"
          text="It takes the place of what is in the editor. Undo brings that back, and nothing is saved yet."
          action={startText}
          onConfirm={begin}
          onCancel={() => setAsking(false)}
        />
      )}
      <Suspense>
        {isHistoryOpen && (
          <TemplateHistory
            kind={kind}
            title={title}
            origin={origin}
            onRestore={handleRestore}
            onClose={() => setIsHistoryOpen(false)}
          />
        )}
      </Suspense>
    </div>
  );
}

/** The design as text, so that two of them can be compared. */
type Words = { design: string; subject: string };

const isDifferent = (one: Words, other: Words): boolean =>
  one.design !== other.design || one.subject.trim() !== other.subject.trim();

/** In one step, the colour of the page too, so that one undo brings back what was there. */
const replaceDesign = (editor: Editor, design: Design): void => {
  editor
    .chain()
    .setContent(design as JSONContent, { emitUpdate: true })
    .command(({ tr }) => {
      tr.setDocAttribute('background', design.attrs?.['background'] ?? '');
      return true;
    })
    .run();
  // By itself: within the chain it would mean the start of what was there.
  editor.commands.focus('start');
};

function MissingEditor() {
  return (
    <p className={classes.missing} role="alert">
      The editor could not be loaded. Check your connection and load the page again.
    </p>
  );
}
