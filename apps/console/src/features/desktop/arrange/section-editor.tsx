import { TextInput } from '@mantine/core';
import type { DesktopApp } from '@opensocial/contract';
import { IconArrowDown, IconArrowUp, IconChevronDown, IconTrash } from '@tabler/icons-react';
import { useId } from 'react';
import { AddAppsField } from './add-apps-field.tsx';
import classes from './arrange-dialog.module.css';
import { SectionAppRow } from './section-app-row.tsx';
import type { SectionDraft } from './section-drafts.ts';
import { ToolButton } from './tool-button.tsx';
import type { SectionEditing } from './use-section-drafts.ts';

type SectionEditorProps = {
  draft: SectionDraft;
  place: { index: number; isLast: boolean };
  apps: readonly DesktopApp[];
  editing: SectionEditing;
  fault: string | undefined;
};

/** A section of the dialog. Its name and apps are shown while it is open; at most one section is. */
export function SectionEditor({ draft, place: { index, isLast }, apps, editing, fault }: SectionEditorProps) {
  const bodyId = useId();
  const isOpen = editing.opened === draft.key;
  const title = draft.name.trim() || 'Section without a name';
  const byId = new Map(apps.map((app) => [app.id, app]));
  const listed = draft.apps.flatMap((id) => byId.get(id) ?? []);
  return (
    <li className={classes.section} data-section={draft.key} data-faulty={fault !== undefined}>
      <div className={classes.head}>
        <button
          type="button"
          className={classes.title}
          aria-expanded={isOpen}
          aria-controls={bodyId}
          onClick={() => editing.toggle(draft.key)}
        >
          <IconChevronDown className={classes.arrow} size={17} stroke={2} aria-hidden="true" />
          <span className={classes.name}>{title}</span>{' '}
          <span className={classes.count}>{listed.length === 1 ? '1 app' : `${listed.length} apps`}</span>
        </button>
        <ToolButton
          label={`Move ${title} up`}
          icon={IconArrowUp}
          isOff={index === 0}
          onPress={(pressed) => editing.moveSection(draft.key, index - 1, pressed)}
        />
        <ToolButton
          label={`Move ${title} down`}
          icon={IconArrowDown}
          isOff={isLast}
          onPress={(pressed) => editing.moveSection(draft.key, index + 1, pressed)}
        />
        <ToolButton label={`Delete ${title}`} icon={IconTrash} onPress={() => editing.removeSection(draft.key)} />
      </div>
      <div id={bodyId} className={classes.body} hidden={!isOpen}>
        {isOpen && (
          <>
            <TextInput
              label="Section name"
              maxLength={100}
              autoComplete="off"
              value={draft.name}
              error={fault}
              onChange={(event) => editing.rename(draft.key, event.currentTarget.value)}
            />
            {listed.length === 0 ? (
              <p>There are no apps in this section yet.</p>
            ) : (
              <ol className={classes.apps} aria-label={`Apps in ${title}`}>
                {listed.map((app, place) => (
                  <SectionAppRow
                    key={app.id}
                    app={app}
                    place={{ index: place, last: listed.length - 1 }}
                    sectionKey={draft.key}
                    editing={editing}
                  />
                ))}
              </ol>
            )}
            <AddAppsField draft={draft} title={title} apps={apps} editing={editing} />
          </>
        )}
      </div>
    </li>
  );
}
