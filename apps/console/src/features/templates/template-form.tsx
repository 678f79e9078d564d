import { Button, SegmentedControl } from '@mantine/core';
import { ApiError, type TemplateKind } from '@opensocial/contract';
import { type Design, defaultDesigns, renderDesign } from '@opensocial/contract/mail';
import { IconSend, IconWand } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { Editor, JSONContent } from '@tiptap/core';
import { lazy, Suspense, useRef, useState } from 'react';
import { useAdminNetwork } from '../../api/admin-network.ts';
import { errorText } from '../../api/error-text.ts';
import { BusyButton } from '../../patterns/busy-button/busy-button.tsx';
import { ConfirmDialog } from '../../patterns/confirm/confirm-dialog.tsx';
import { showError } from '../../patterns/toast/show-error.tsx';
import { showFault } from '../../patterns/toast/show-fault.tsx';
import { showNotice } from '../../patterns/toast/show-notice.tsx';
import { showSuccess } from '../../patterns/toast/show-success.tsx';
import type { MailEditorProps } from './editor/mail-editor.tsx';
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

/** The words of a mail: edited, looked at, tried and saved. */
export function TemplateForm({ kind, name, title, saved, origin, onUnsaved }: TemplateFormProps) {
  const network = useAdminNetwork();
  const saving = useMutation(saveTemplate(network, kind));
  const testing = useMutation(sendTest(network, kind));
  const [editor, setEditor] = useState<Editor>();
  const [design, setDesign] = useState<Design>();
  const [view, setView] = useState('edit');
  const [asking, setAsking] = useState(false);
  /** What the server has, as the editor writes it. */
  const kept = useRef<string>(undefined);
  const html = design && renderDesign(design, { origin });

  const handleChange = (changed: Design) => {
    const text = JSON.stringify(changed);
    kept.current ??= text;
    setDesign(changed);
    onUnsaved(text !== kept.current);
  };
  const takeTemplate = (act: (template: string, text: string) => void) => {
    if (!editor || !design) showFault('Editor not initialized');
    else act(JSON.stringify({ design, html }), JSON.stringify(design));
  };
  const handleSave = () =>
    takeTemplate((template, text) =>
      saving.mutate(template, {
        onSuccess: ({ unknown_tags, left_out }) => {
          kept.current = text;
          onUnsaved(JSON.stringify(editor?.getJSON()) !== text);
          showSuccess(`${name} template updated successfully`);
          if (unknown_tags.length > 0) showNotice(`Sent as they stand: ${unknown_tags.join(', ')}`);
          if (left_out > 0) showNotice('Images that are not of the media library were left out.');
        },
        onError: (error) =>
          showFault(error instanceof ApiError ? errorText(error) : `Failed to update ${name} template`),
      }),
    );
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
  return (
    <div className={classes.form}>
      <div className={classes.bar}>
        <SegmentedControl size="sm" aria-label={`View: ${title}`} value={view} onChange={setView} data={views} />
        <Button variant="subtle" size="sm" leftSection={<IconWand size={16} />} onClick={handleDefault}>
          Start from our default
        </Button>
      </div>
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
          phone={view === 'phone'}
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
          title="Start from our default?"
          text="It takes the place of what is in the editor. Undo brings that back, and nothing is saved yet."
          action="Start from our default"
          onConfirm={begin}
          onCancel={() => setAsking(false)}
        />
      )}
    </div>
  );
}

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
