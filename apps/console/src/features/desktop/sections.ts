import type { builtInSections, DesktopApp, DesktopSections } from '@opensocial/contract';

type BuiltIn = (typeof builtInSections)[number];

/** A section of the desktop. `own` is the state of one that the person has made. */
export type Section = { key: string; title: string; apps: readonly DesktopApp[] } & (
  | { title: BuiltIn; own?: undefined }
  | { own: { id: number; isCollapsed: boolean } }
);

const builtIn = (title: BuiltIn, apps: readonly DesktopApp[]): Section => ({ key: title, title, apps });

/** Up to this number of tiles, the desktop is seen at a glance and needs no recently used apps. */
const smallDesktop = 12;
const fewestRecent = 3;

/** §2.3: the sections of the desktop. The last one contains all apps that are in no section of the person's own. */
export const sectionsOf = (apps: readonly DesktopApp[], personal: DesktopSections | undefined): Section[] => {
  const byId = new Map(apps.map((app) => [app.id, app]));
  const named = (ids: readonly number[] = []) => ids.flatMap((id) => byId.get(id) ?? []);
  const favourites = named(personal?.favourites);
  const recent = apps.length > smallDesktop ? named(personal?.recent) : [];
  const own = personal?.sections ?? [];
  const placed = new Set(own.flatMap((section) => section.apps));
  const others = apps.filter(({ id }) => !placed.has(id));
  return [
    ...(favourites.length > 0 ? [builtIn('Favourites', favourites)] : []),
    ...(recent.length >= fewestRecent ? [builtIn('Recently used', recent)] : []),
    ...own.map(({ id, name, collapsed, apps: ids }) => ({
      key: `own ${id}`,
      title: name,
      apps: named(ids),
      own: { id, isCollapsed: collapsed },
    })),
    ...(own.length === 0 ? [builtIn('All apps', apps)] : []),
    ...(own.length > 0 && others.length > 0 ? [builtIn('Other apps', others)] : []),
  ];
};
