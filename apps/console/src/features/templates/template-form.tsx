import { Button, SegmentedControl, Switch, TextInput } from '@mantine/core';
import { maximumSubjectLength, type TemplateKind } from '@opensocial/contract';
import {
  type Design,
  defaultDesigns,
  defaultSubjects,
  fillAttribute,
  sampleValues,
  subjectFault,
} from '@opensocial/contract/mail';
import { IconHistory, IconSend, IconWand } from '@tabler/icons-react';
import type { Editor, JSONContent } from '@tiptap/core';
import { type ComponentProps, lazy, type ReactNode, Suspense, useState } from 'react';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { BusyButton } from '../../patterns/busy-button/busy-button.tsx';
import { ConfirmDialog } from '../../patterns/confirm/confirm-dialog.tsx';
import { fullTime } from '../../patterns/format/format.ts';
import { showFault } from '../../patterns/toast/show-fault.tsx';
import { showNotice } from '../../patterns/toast/show-notice.tsx';
import type { MailEditorProps } from './editor/mail-editor.tsx';
import { TemplateChecks } from './template-checks.tsx';
import classes from './template-form.module.css';
import { TemplatePreview } from './template-preview.tsx';
import { tagTexts } from './template-texts.ts';
import { useTemplateDraft } from './use-template-draft.ts';

const loadEditor = async (): Promise<{ default: (props: MailEditorProps) => ReactNode }> => {
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
  /** The template as the server stores it. */
  saved: string;
  origin: string;
  onUnsaved: (isUnsaved: boolean) => void;
};

type View = 'edit' | 'desktop' | 'phone';

/** The form of a mail template: edit, preview, send a test and save. */
export function TemplateForm(props: TemplateFormProps) {
  const { kind, title, saved, origin } = props;
  const network = useAdminNetwork();
  const draft = useTemplateDraft(props);
  const { editor, design, html, isBlank } = draft;
  const [view, setView] = useState<View>('edit');
  const [isDark, setIsDark] = useState(false);
  const [isConfirming, setIsConfirming] = useState(false);
  const [isHistoryOpen, setIsHistoryOpen] = useState(false);

  const startFromDefault = () => {
    setIsConfirming(false);
    setView('edit');
    if (editor) replaceDesign(editor, defaultDesigns[kind]);
  };
  const handleDefault = () => {
    if (!editor) showFault('Editor not initialized');
    else if (editor.isEmpty) startFromDefault();
    else setIsConfirming(true);
  };
  const handleRestore: ComponentProps<typeof TemplateHistory>['onRestore'] = (version) => {
    setIsHistoryOpen(false);
    setView('edit');
    if (!editor) return;
    replaceDesign(editor, version.design);
    draft.changeSubject(version.subject);
    showNotice(`The version of ${fullTime(version.saved_at)} is in the editor. It is used once you save it.`);
  };
  return (
    <div className={classes.form}>
      <div className={classes.bar}>
        <ViewSwitch title={title} view={view} onView={setView} isDark={isDark} onDark={setIsDark} />
        <div className={classes.tools}>
          {!isBlank && <DefaultButton variant="subtle" onClick={handleDefault} />}
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
      <SubjectField kind={kind} origin={origin} value={draft.subject} onChange={draft.changeSubject} />
      {isBlank && view === 'edit' && (
        <div className={classes.blank}>
          <p>
            This email is blank. Type in the page below, press <kbd>/</kbd> to add a block, or start from the default
            design.
          </p>
          <DefaultButton variant="default" onClick={handleDefault} />
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
            onReady={draft.setEditor}
            onChange={draft.changeDesign}
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
      <SaveButtons draft={draft} />
      {isConfirming && <DefaultDialog onConfirm={startFromDefault} onCancel={() => setIsConfirming(false)} />}
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

const views: { value: View; label: string }[] = [
  { value: 'edit', label: 'Edit' },
  { value: 'desktop', label: 'Desktop' },
  { value: 'phone', label: 'Phone' },
];

type ViewSwitchProps = {
  title: string;
  view: View;
  onView: (view: View) => void;
  isDark: boolean;
  onDark: (isDark: boolean) => void;
};

function ViewSwitch({ title, view, onView, isDark, onDark }: ViewSwitchProps) {
  return (
    <div className={classes.tools}>
      <SegmentedControl<View> size="sm" aria-label={`View: ${title}`} value={view} onChange={onView} data={views} />
      {view !== 'edit' && (
        <Switch label="Dark mode" checked={isDark} onChange={(event) => onDark(event.currentTarget.checked)} />
      )}
    </div>
  );
}

const startText = 'Start from the default design';

type DefaultButtonProps = { variant: 'subtle' | 'default'; onClick: () => void };

function DefaultButton({ variant, onClick }: DefaultButtonProps) {
  return (
    <Button variant={variant} size="sm" leftSection={<IconWand size={16} />} onClick={onClick}>
      {startText}
    </Button>
  );
}

type DefaultDialogProps = { onConfirm: () => void; onCancel: () => void };

function DefaultDialog({ onConfirm, onCancel }: DefaultDialogProps) {
  return (
    <ConfirmDialog
      title="Start from the default design?"
      text="It replaces the design in the editor. You can undo this, and nothing is saved yet."
      action={startText}
      onConfirm={onConfirm}
      onCancel={onCancel}
    />
  );
}

type SubjectFieldProps = {
  kind: TemplateKind;
  origin: string;
  value: string;
  onChange: (subject: string) => void;
};

function SubjectField({ kind, origin, value, onChange }: SubjectFieldProps) {
  const network = useAdminNetwork();
  const example = fillAttribute(defaultSubjects[kind], sampleValues(origin, network.name));
  return (
    <TextInput
      className={classes.subject ?? ''}
      label="Subject"
      description={`Leave it empty to use the default subject: ${example}`}
      placeholder={defaultSubjects[kind]}
      maxLength={maximumSubjectLength}
      value={value}
      error={subjectFault(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

type SaveButtonsProps = { draft: ReturnType<typeof useTemplateDraft> };

function SaveButtons({ draft }: SaveButtonsProps) {
  return (
    <div className={classes.buttons}>
      <BusyButton
        variant="default"
        leftSection={<IconSend size={16} />}
        busy={draft.isTesting}
        onClick={draft.sendTestMail}
      >
        Send a test to me
      </BusyButton>
      <BusyButton busy={draft.isSaving} busyText="please wait ...." onClick={draft.save}>
        save settings
      </BusyButton>
    </div>
  );
}

/** Replaces the content and the page colour in one transaction, so that one undo restores both. */
const replaceDesign = (editor: Editor, design: Design): void => {
  editor
    .chain()
    .setContent(design as JSONContent, { emitUpdate: true })
    .command(({ tr }) => {
      tr.setDocAttribute('background', design.attrs?.['background'] ?? '');
      return true;
    })
    .run();
  // A command of its own: within the chain, 'start' would refer to the old content.
  editor.commands.focus('start');
};

function MissingEditor() {
  return (
    <p className={classes.missing} role="alert">
      The editor could not be loaded. Check your connection and load the page again.
    </p>
  );
}
