type Named = { name: string };

/** §2.3: filters by name, ignoring case. */
export const appsNamed = <App extends Named>(search: string, apps: readonly App[]): readonly App[] => {
  const wanted = search.trim().toLocaleLowerCase();
  return wanted === '' ? apps : apps.filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
};
