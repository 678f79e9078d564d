/** The same markup as in index.html, so that nothing moves when React renders. */
export function FullPageSpinner() {
  return (
    <main className="full-page-spinner" aria-busy="true">
      <h1 className="visually-hidden">Loading</h1>
    </main>
  );
}
