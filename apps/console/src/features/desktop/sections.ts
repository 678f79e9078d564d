import type { DesktopApp, DesktopSections } from '@opensocial/contract';

export type Section = { title: 'Favourites' | 'Recently used' | 'All apps'; apps: readonly DesktopApp[] };

/** Up to this number of tiles, the desktop is seen at a glance and needs no recently used apps. */
const smallDesktop = 12;
const fewestRecent = 3;

/** §2.3: the sections of the desktop. The last one contains all apps. */
export const sectionsOf = (apps: readonly DesktopApp[], personal: DesktopSections | undefined): Section[] => {
  const byId = new Map(apps.map((app) => [app.id, app]));
  const named = (ids: readonly number[] = []) => ids.flatMap((id) => byId.get(id) ?? []);
  const favourites = named(personal?.favourites);
  const recent = apps.length > smallDesktop ? named(personal?.recent) : [];
  return [
    ...(favourites.length > 0 ? [{ title: 'Favourites', apps: favourites } as const] : []),
    ...(recent.length >= fewestRecent ? [{ title: 'Recently used', apps: recent } as const] : []),
    { title: 'All apps', apps },
  ];
};
