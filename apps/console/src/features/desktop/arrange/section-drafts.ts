import { type ArrangedSections, SectionsDraft } from '@opensocial/contract';

/** A section while it is edited. A new one has no id yet. */
export type SectionDraft = { key: string; id: number | undefined; name: string; apps: readonly number[] };

export const draftsOf = ({ sections }: ArrangedSections): SectionDraft[] =>
  sections.map(({ id, name, apps }) => ({ key: `section ${id}`, id, name, apps }));

export const bodyOf = (drafts: readonly SectionDraft[], version: number): SectionsDraft => ({
  sections: drafts.map(({ id, name, apps }) => ({ ...(id !== undefined && { id }), name, apps: [...apps] })),
  version,
});

/** Sections that were deleted in another browser become new ones. */
export const rebased = (drafts: readonly SectionDraft[], { sections }: ArrangedSections): SectionDraft[] => {
  const known = new Set(sections.map(({ id }) => id));
  return drafts.map((draft) => ({
    ...draft,
    id: draft.id !== undefined && known.has(draft.id) ? draft.id : undefined,
  }));
};

/** The list with an item at another index. */
export const withMoved = <Item>(items: readonly Item[], from: number, to: number): Item[] => {
  const moved = items[from];
  return moved === undefined ? [...items] : items.toSpliced(from, 1).toSpliced(to, 0, moved);
};

/** An app in another section, as its last one, or in none. An app is in at most one section. */
export const withApp = (drafts: readonly SectionDraft[], app: number, key: string | undefined): SectionDraft[] =>
  drafts.map((draft) => {
    const others = draft.apps.filter((id) => id !== app);
    return { ...draft, apps: draft.key === key ? [...others, app] : others };
  });

/** A deleted section at its former index, without the apps that are in another section by now. */
export const withRestored = (
  drafts: readonly SectionDraft[],
  { section, index }: { section: SectionDraft; index: number },
): SectionDraft[] => {
  const placed = new Set(drafts.flatMap(({ apps }) => apps));
  return drafts.toSpliced(index, 0, { ...section, apps: section.apps.filter((id) => !placed.has(id)) });
};

export type SectionFaults = {
  /** The first problem of each section, by its key. */
  ofSection: ReadonlyMap<string, string>;
  /** A problem of the whole. */
  ofAll: string | undefined;
};

export const faultsOf = (drafts: readonly SectionDraft[]): SectionFaults => {
  const issues = SectionsDraft.safeParse(bodyOf(drafts, 0)).error?.issues ?? [];
  const ofSection = new Map<string, string>();
  for (const { path, message } of issues) {
    const key = drafts[Number(path[1])]?.key;
    if (key !== undefined && !ofSection.has(key)) ofSection.set(key, message);
  }
  return { ofSection, ofAll: issues.find(({ path }) => path[1] === undefined)?.message };
};
