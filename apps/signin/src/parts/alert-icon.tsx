/** Shown beside an error, so that it is not conveyed by colour alone. */
export function AlertIcon() {
  return (
    <svg className="icon" viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden="true">
      <circle cx="12" cy="12" r="9" />
      <path d="M12 7.5v5M12 16.2v.1" strokeLinecap="round" />
    </svg>
  );
}
