import { ApiError, type ArrangedSections, type DesktopApp } from '@opensocial/contract';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { errorText } from '../../../api/transport/error-text.ts';
import type { NetworkRef } from '../../../api/transport/network-ref.ts';
import { Dialog } from '../../../patterns/dialog/dialog.tsx';
import { DialogButtons } from '../../../patterns/form/dialog-buttons.tsx';
import form from '../../../patterns/form/form.module.css';
import { FormError } from '../../../patterns/form/form-error.tsx';
import { showError } from '../../../patterns/toast/show-error.tsx';
import { showSuccess } from '../../../patterns/toast/show-success.tsx';
import { reloadSections, saveSections } from '../desktop-sections.api.ts';
import classes from './arrange-dialog.module.css';
import { ChangedElsewhere } from './changed-elsewhere.tsx';
import { NewSectionField } from './new-section-field.tsx';
import { bodyOf, draftsOf, faultsOf, rebased, type SectionDraft } from './section-drafts.ts';
import { SectionEditor } from './section-editor.tsx';
import { useSectionDrafts } from './use-section-drafts.ts';

type ArrangeDialogProps = {
  network: NetworkRef;
  apps: readonly DesktopApp[];
  /** What is shown when the dialog opens. A reload in the background does not change what is edited. */
  arranged: ArrangedSections;
  onClose: () => void;
};

/** §2.3: edits all sections of a person, and saves them at once. */
export function ArrangeDialog({ network, apps, arranged: shown, onClose }: ArrangeDialogProps) {
  const [base, setBase] = useState(shown);
  const [hasTried, setHasTried] = useState(false);
  const [newName, setNewName] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const editing = useSectionDrafts({ apps, initial: draftsOf(base), list });
  const saving = useMutation(saveSections(network));
  const reloading = useMutation({ mutationFn: () => reloadSections(network), onError: showError });
  const { drafts } = editing;
  const faults = faultsOf(drafts);
  const isDirty = newName.trim() !== '' || JSON.stringify(drafts) !== JSON.stringify(draftsOf(base));
  const isBusy = saving.isPending || reloading.isPending;
  const isChangedElsewhere = saving.error instanceof ApiError && saving.error.code === 'sections_changed';

  const send = (sections: readonly SectionDraft[], version: number) => {
    setHasTried(true);
    const { ofSection, ofAll } = faultsOf(sections);
    const [faulty] = ofSection.keys();
    if (faulty !== undefined) editing.open(faulty);
    if (faulty !== undefined || ofAll !== undefined) return;
    saving.mutate(bodyOf(sections, version), {
      onSuccess: () => {
        showSuccess('Your desktop was saved.');
        onClose();
      },
    });
  };
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || isChangedElsewhere) return;
    send(newName.trim() === '' ? drafts : handleAdd(), base.version);
  };
  const handleAdd = (): SectionDraft[] => {
    setNewName('');
    return editing.addSection(newName.trim());
  };
  /** The former base is replaced, so that what was edited is compared with what is stored. */
  const rebase = async (): Promise<ArrangedSections> => {
    const current = await reloading.mutateAsync();
    saving.reset();
    setBase(current);
    return current;
  };
  const handleOverwrite = async () => {
    const current = await rebase();
    const kept = rebased(drafts, current);
    editing.replace(kept);
    send(kept, current.version);
  };
  const handleDiscard = async () => editing.replace(draftsOf(await rebase()));

  return (
    <Dialog title="Arrange your desktop" size={620} dirty={isDirty} onClose={onClose}>
      <form className={form.form} noValidate onSubmit={handleSubmit}>
        {drafts.length === 0 ? (
          <p>
            You have no sections yet. Make one for apps that belong together, for example “Data analysis”. Only you see
            your sections.
          </p>
        ) : (
          <ol ref={list} className={classes.sections}>
            {drafts.map((draft, index) => (
              <SectionEditor
                key={draft.key}
                draft={draft}
                place={{ index, isLast: index === drafts.length - 1 }}
                apps={apps}
                editing={editing}
                fault={hasTried ? faults.ofSection.get(draft.key) : undefined}
              />
            ))}
          </ol>
        )}
        {editing.removed && (
          <p className={classes.removed} key={editing.removed.section.key}>
            <span>{editing.removed.section.name || 'The section'} will be deleted. Its apps stay on the desktop.</span>
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the button that was pressed */}
            <button type="button" className={classes.undo} autoFocus onClick={editing.undoRemoval}>
              Undo
            </button>
          </p>
        )}
        <NewSectionField value={newName} count={drafts.length} onChange={setNewName} onAdd={handleAdd} />
        {isChangedElsewhere && (
          <ChangedElsewhere
            busy={isBusy}
            onDiscard={() => void handleDiscard().catch(() => undefined)}
            onOverwrite={() => void handleOverwrite().catch(() => undefined)}
          />
        )}
        <FormError>
          {(hasTried && faults.ofAll) || (saving.error && !isChangedElsewhere && errorText(saving.error))}
        </FormError>
        <DialogButtons action="Save" busy={isBusy} />
      </form>
      <p className="visually-hidden" role="status">
        {editing.announcement}
      </p>
    </Dialog>
  );
}
