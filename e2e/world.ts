/** Where the tests' server and service provider are. The provider goes by another host name, so that it is another site. */
export const origin = 'http://localhost:4100';
export const providerOrigin = 'http://127.0.0.1:4101';
export const demonstration = `${providerOrigin}/demonstration`;

export const password = 'correct horse battery staple';

/** Who is there; each test that changes an account makes one of its own. */
export const people = {
  ana: { email: 'ana.moreno@northlab.org', firstname: 'Ana', lastname: 'Moreno' },
  ben: { email: 'ben.ito@northlab.org', firstname: 'Ben', lastname: 'Ito' },
  cleo: { email: 'cleo.diaz@southlab.org', firstname: 'Cleo', lastname: 'Diaz' },
} as const;

/** Accounts that wait for their password, each with the token of its link. */
export const invitations = Array.from({ length: 12 }, (_, index) => ({
  email: `guest-${index}@northlab.org`,
  token: `invitation-token-of-guest-${index}`,
}));
