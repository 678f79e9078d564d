import { ApiError, type TemplateKind } from '@opensocial/contract';
import { type Design, renderDesign, subjectFault } from '@opensocial/contract/mail';
import { useMutation } from '@tanstack/react-query';
import type { Editor } from '@tiptap/core';
import { useRef, useState } from 'react';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { errorText } from '../../api/transport/error-text.ts';
import { showError } from '../../patterns/toast/show-error.tsx';
import { showFault } from '../../patterns/toast/show-fault.tsx';
import { showNotice } from '../../patterns/toast/show-notice.tsx';
import { showSuccess } from '../../patterns/toast/show-success.tsx';
import { savedSubject } from './saved-subject.ts';
import { saveTemplate, sendTest } from './templates.api.ts';

type TemplateDraftParts = {
  kind: TemplateKind;
  name: string;
  saved: string;
  origin: string;
  onUnsaved: (isUnsaved: boolean) => void;
};

/** The edited design and subject of a mail template, with the calls that save it and send it as a test. */
export const useTemplateDraft = ({ kind, name, saved, origin, onUnsaved }: TemplateDraftParts) => {
  const network = useAdminNetwork();
  const saving = useMutation(saveTemplate(network, kind));
  const testing = useMutation(sendTest(network, kind));
  const [editor, setEditor] = useState<Editor>();
  const [design, setDesign] = useState<Design>();
  const [subject, setSubject] = useState(() => savedSubject(saved));
  const { trackChange, current, trackSaved } = useUnsavedState(subject, onUnsaved);
  const html = design && renderDesign(design, { origin });

  const changeDesign = (changed: Design) => {
    setDesign(changed);
    trackChange({ design: JSON.stringify(changed) });
  };
  const changeSubject = (changed: string) => {
    setSubject(changed);
    trackChange({ subject: changed });
  };
  const withTemplate = (send: (template: string) => void) => {
    const fault = subjectFault(subject);
    if (!editor || !design) showFault('Editor not initialized');
    else if (fault !== undefined) showFault(fault);
    else send(JSON.stringify({ design, html, ...(subject.trim() !== '' && { subject }) }));
  };
  const save = () => {
    const sent = current();
    withTemplate((template) =>
      saving.mutate(template, {
        onSuccess: ({ unknown_tags, left_out }) => {
          trackSaved(sent);
          showSuccess(`${name} template updated successfully`);
          if (unknown_tags.length > 0) showNotice(`Unknown tags are sent unchanged: ${unknown_tags.join(', ')}`);
          if (left_out > 0) showNotice('Images that are not in the media library were removed.');
        },
        onError: (error) =>
          showFault(error instanceof ApiError ? errorText(error) : `Failed to update ${name} template`),
      }),
    );
  };
  const sendTestMail = () =>
    withTemplate((template) =>
      testing.mutate(template, { onSuccess: ({ message }) => showSuccess(message), onError: showError }),
    );
  return {
    editor,
    setEditor,
    design,
    changeDesign,
    subject,
    changeSubject,
    html,
    isBlank: design !== undefined && editor?.isEmpty === true,
    save,
    isSaving: saving.isPending,
    sendTestMail,
    isTesting: testing.isPending,
  };
};

/** The content of a template. The design is JSON text, so that two contents can be compared. */
type Content = { design: string; subject: string };

const isDifferent = (one: Content, other: Content): boolean =>
  one.design !== other.design || one.subject.trim() !== other.subject.trim();

/** Compares the content in the editor with the content that the server has, as the editor first wrote it. */
const useUnsavedState = (subject: string, onUnsaved: (isUnsaved: boolean) => void) => {
  const saved = useRef<Content>(undefined);
  const edited = useRef<Content>({ design: '', subject });
  const trackChange = (changed: Partial<Content>) => {
    edited.current = { ...edited.current, ...changed };
    saved.current ??= edited.current;
    onUnsaved(isDifferent(edited.current, saved.current));
  };
  const trackSaved = (sent: Content) => {
    saved.current = sent;
    onUnsaved(isDifferent(edited.current, sent));
  };
  return { trackChange, trackSaved, current: () => edited.current };
};
