/** What a site's messages are checked with; none, and they need no signature. */
export const certificatesOf = ({ certificate }: { certificate: string | null }): string[] =>
  certificate?.split('\n') ?? [];
