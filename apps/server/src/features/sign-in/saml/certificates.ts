/** The certificates that verify a site's messages. Without any, the messages need no signature. */
export const certificatesOf = ({ certificate }: { certificate: string | null }): string[] =>
  certificate?.split('\n') ?? [];
