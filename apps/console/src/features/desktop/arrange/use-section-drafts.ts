import type { DesktopApp } from '@opensocial/contract';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { type SectionDraft, withApp, withMoved, withRestored } from './section-drafts.ts';

export type SectionEditing = ReturnType<typeof useSectionDrafts>;

type Parts = {
  apps: readonly DesktopApp[];
  initial: readonly SectionDraft[];
  /** The rendered sections, in which the focus is moved. */
  list: RefObject<HTMLElement | null>;
};

/** The sections while they are edited: each change is announced to screen readers, and keeps the focus in its place. */
export const useSectionDrafts = ({ apps, initial, list }: Parts) => {
  const [drafts, setDrafts] = useState(initial);
  const [opened, setOpened] = useState<string | undefined>(initial.length === 1 ? initial[0]?.key : undefined);
  const [removed, setRemoved] = useState<{ section: SectionDraft; index: number }>();
  const [announcement, setAnnouncement] = useState('');
  const made = useRef(0);
  const focusLater = useFocusAfterRender();

  const nameOf = (app: number): string => apps.find(({ id }) => id === app)?.name ?? '';
  const titleOf = (key: string): string => drafts.find((draft) => draft.key === key)?.name || 'the section';
  const change = (key: string, changes: Partial<SectionDraft>) =>
    setDrafts(drafts.map((draft) => (draft.key === key ? { ...draft, ...changes } : draft)));
  const controlOf = (key: string, control: string) => () =>
    list.current?.querySelector<HTMLElement>(`[data-section="${key}"] ${control}`);

  return {
    drafts,
    opened,
    removed,
    announcement,
    /** Sets all sections, for example those that are stored now. */
    replace: (sections: readonly SectionDraft[]) => {
      setDrafts(sections);
      setRemoved(undefined);
    },
    open: (key: string) => setOpened(key),
    toggle: (key: string) => setOpened(opened === key ? undefined : key),
    rename: (key: string, name: string) => change(key, { name }),
    /** Returns the sections with the new one, which are in `drafts` after the next render. */
    addSection: (name: string): SectionDraft[] => {
      made.current += 1;
      const key = `new ${made.current}`;
      const next = [...drafts, { key, id: undefined, name, apps: [] }];
      setDrafts(next);
      setOpened(key);
      setRemoved(undefined);
      setAnnouncement(`Section ${name} added. Choose its apps.`);
      focusLater(controlOf(key, 'input[data-adds]'));
      return next;
    },
    moveSection: (key: string, to: number, pressed: HTMLElement) => {
      const from = drafts.findIndex((draft) => draft.key === key);
      setDrafts(withMoved(drafts, from, to));
      setAnnouncement(`${titleOf(key)}: section ${to + 1} of ${drafts.length}.`);
      focusLater(() => pressed);
    },
    removeSection: (key: string) => {
      const index = drafts.findIndex((draft) => draft.key === key);
      const section = drafts[index];
      if (!section) return;
      setDrafts(drafts.toSpliced(index, 1));
      setRemoved({ section, index });
      setAnnouncement(`${titleOf(key)} will be deleted.`);
    },
    undoRemoval: () => {
      if (!removed) return;
      setDrafts(withRestored(drafts, removed));
      setRemoved(undefined);
      setAnnouncement(`${removed.section.name} is back.`);
      focusLater(controlOf(removed.section.key, 'button'));
    },
    addApp: (key: string, app: number) => {
      setDrafts(withApp(drafts, app, key));
      setAnnouncement(`${nameOf(app)} added to ${titleOf(key)}.`);
    },
    /** Without a pressed button, the button of the menu gets the focus. */
    moveApp: (key: string, from: number, to: number, pressed?: HTMLElement) => {
      const held = drafts.find((draft) => draft.key === key)?.apps ?? [];
      const app = held[from];
      if (app === undefined) return;
      change(key, { apps: withMoved(held, from, to) });
      setAnnouncement(`${nameOf(app)}: place ${to + 1} of ${held.length} in ${titleOf(key)}.`);
      focusLater(pressed ? () => pressed : controlOf(key, menuOf(app)));
    },
    /** Puts an app into another section, or into none. The focus moves to the app that takes its place. */
    releaseApp: (key: string, app: number, to: string | undefined) => {
      const held = drafts.find((draft) => draft.key === key)?.apps ?? [];
      const index = held.indexOf(app);
      const beside = held[index + 1] ?? held[index - 1];
      setDrafts(withApp(drafts, app, to));
      setAnnouncement(
        to === undefined ? `${nameOf(app)} is in no section.` : `${nameOf(app)} moved to ${titleOf(to)}.`,
      );
      focusLater(controlOf(key, beside === undefined ? 'input[data-adds]' : menuOf(beside)));
    },
  };
};

const menuOf = (app: number): string => `[data-app="${app}"] [aria-haspopup]`;

/** Moves the focus once a change is rendered, because elements that are moved lose it, and new ones do not exist before. */
const useFocusAfterRender = () => {
  const wanted = useRef<() => HTMLElement | null | undefined>(undefined);
  useLayoutEffect(() => {
    const find = wanted.current;
    wanted.current = undefined;
    find?.()?.focus();
  });
  return (find: () => HTMLElement | null | undefined) => {
    wanted.current = find;
  };
};
