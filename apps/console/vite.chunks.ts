/**
 * The script files of the build. Without groups, the bundler creates a chunk for every set of shared modules, seventy for a list;
 * with a single group, every screen loads the dialogs and forms of all others. A module belongs to the first group that matches,
 * and takes along the modules that it imports, as far as no earlier group has them. So a group must come before the groups that
 * import its modules, and one small module in a late group makes a screen load all of that group. `scripts/bytes.mjs` notices it.
 */
export const chunkGroups = [
  // The modules of every screen. `boot.ts` stays separate, as a classic script.
  { name: 'shell', tags: ['$initial' as const], test: (id: string) => !id.endsWith('/boot.ts'), priority: 5 },
  // Small parts of most screens: heading, search field, toasts, notes.
  {
    name: 'page',
    test: /src\/(?:patterns\/(?:(?:copy-field|facts|fold|markup|notice|page|search-field|state-mark|time|toast)\/|form\/form-)|api\/trash\/)/,
    priority: 4,
  },
  // Calls, hooks, icons and small components that many screens import.
  {
    name: 'basics',
    test: /@tabler\/|@tanstack\/(?:query-core|react-query)\/|@mantine\/(?:hooks|core\/esm\/core)\/|\/(?:Paper|Skeleton|ScrollArea\/utils)\/|packages\/contract\/|src\/api\/|patterns\/(?:app-tile\/icon-image|busy-button|error-panel|export-link|focus|links)/,
    minShareCount: 8,
    priority: 4,
  },
  // Lists, without the menus that are loaded when they are opened.
  {
    name: 'list',
    test: /patterns\/(?:date-range\/days|panel-list\/|record-list\/(?!bar\/(?:column-panel|filter-panel|more-actions)))/,
    priority: 3,
  },
  // What opens beside a button: menus, popovers and the options of a field.
  { name: 'menus', test: /patterns\/lazy-menu\/opening-|components\/(?:Combobox|Menu|Popover)\//, priority: 2 },
  // Dialogs, side panels and forms.
  {
    name: 'panels',
    test: /@mantine\/form\/|patterns\/(?:confirm|conflict|dialog|form|side-panel)\/(?!fields\.css|form-|segmented-field)/,
    priority: 1,
  },
];
