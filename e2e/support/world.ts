/**
 * The addresses of the tests' server and service provider. The provider has another host name, so that it is another
 * site.
 */
const port = Number(process.env['E2E_PORT'] ?? 4100);
export const origin = `http://localhost:${port}`;
export const providerOrigin = `http://127.0.0.1:${port + 1}`;
/** Where tests read the mails that the server has sent. */
export const mailboxOrigin = `http://127.0.0.1:${port + 2}`;
/** Ports of programs that a test starts: a first start, and the demonstration, which takes two. */
export const firstStartPort = port + 3;
export const demonstrationPort = port + 4;
/** An address where nothing listens. */
export const nowhere = 'http://127.0.0.1:9/';
export const demonstration = `${providerOrigin}/demonstration`;

export const password = 'correct horse battery staple';

/**
 * Who is there. Ana owns northlab, Ben is a user of it, Cleo's network has no apps, Dora is in thousands of networks, Ona owns
 * the main one. Gil owns eastlab, where sites, users and groups are changed; Hana is in it to be disabled. Ida owns westlab with him, whose mode is Visited. Emil and Fay are in two networks, each for the one test that changes their default.
 * Jon, Kim and Lou own a network each whose desktop is arranged, drawn and set to a mode; Max is a user of Lou's. Rhea owns
 * rulelab, whose settings are changed; Seb of it has not signed in for a year. Mia owns maillab, which words its own mails. Uma,
 * Vic and Wes sign in through gatelab: Vic with an authenticator, Wes with a password that is too old; Xia and Yan through strictlab,
 * which asks everybody for a second factor. Ira, Noa, Oda, Pia, Rex, Tom, Una, Val and Wim are users of northlab,
 * each for the tests of the profile that change them. Ema of northlab is invited to eastlab; Kai of
 * eastlab has lost an authenticator. Lin has linked two other logins, Nol came by his only one. Sol owns
 * sociallab, whose sites take other logins. Nia owns loglab, whose log is read; Oli is a user of it.
 */
export const people = {
  ana: { email: 'ana.moreno@northlab.org', firstname: 'Ana', lastname: 'Moreno' },
  ben: { email: 'ben.ito@northlab.org', firstname: 'Ben', lastname: 'Ito' },
  cleo: { email: 'cleo.diaz@southlab.org', firstname: 'Cleo', lastname: 'Diaz' },
  dora: { email: 'dora.silva@northlab.org', firstname: 'Dora', lastname: 'Silva' },
  emil: { email: 'emil.weber@northlab.org', firstname: 'Emil', lastname: 'Weber' },
  fay: { email: 'fay.larsen@northlab.org', firstname: 'Fay', lastname: 'Larsen' },
  gil: { email: 'gil.katz@eastlab.org', firstname: 'Gil', lastname: 'Katz' },
  hana: { email: 'hana.vogel@eastlab.org', firstname: 'Hana', lastname: 'Vogel' },
  ida: { email: 'ida.berg@westlab.org', firstname: 'Ida', lastname: 'Berg' },
  jon: { email: 'jon.okafor@dragdesk.org', firstname: 'Jon', lastname: 'Okafor' },
  kim: { email: 'kim.haddad@tiledesk.org', firstname: 'Kim', lastname: 'Haddad' },
  lou: { email: 'lou.meyer@modedesk.org', firstname: 'Lou', lastname: 'Meyer' },
  max: { email: 'max.sato@modedesk.org', firstname: 'Max', lastname: 'Sato' },
  rhea: { email: 'rhea.ono@rulelab.org', firstname: 'Rhea', lastname: 'Ono' },
  seb: { email: 'seb.baker@rulelab.org', firstname: 'Seb', lastname: 'Baker' },
  mia: { email: 'mia.roth@maillab.org', firstname: 'Mia', lastname: 'Roth' },
  uma: { email: 'uma.reyes@gatelab.org', firstname: 'Uma', lastname: 'Reyes' },
  vic: { email: 'vic.lund@gatelab.org', firstname: 'Vic', lastname: 'Lund' },
  wes: { email: 'wes.adair@gatelab.org', firstname: 'Wes', lastname: 'Adair' },
  xia: { email: 'xia.chen@strictlab.org', firstname: 'Xia', lastname: 'Chen' },
  yan: { email: 'yan.kim@strictlab.org', firstname: 'Yan', lastname: 'Kim' },
  zoe: { email: 'zoe.park@gatelab.org', firstname: 'Zoe', lastname: 'Park' },
  ira: { email: 'ira.voss@northlab.org', firstname: 'Ira', lastname: 'Voss' },
  noa: { email: 'noa.lind@northlab.org', firstname: 'Noa', lastname: 'Lind' },
  oda: { email: 'oda.kern@northlab.org', firstname: 'Oda', lastname: 'Kern' },
  pia: { email: 'pia.roth@northlab.org', firstname: 'Pia', lastname: 'Roth' },
  rex: { email: 'rex.adler@northlab.org', firstname: 'Rex', lastname: 'Adler' },
  tom: { email: 'tom.okoro@northlab.org', firstname: 'Tom', lastname: 'Okoro' },
  una: { email: 'una.rossi@northlab.org', firstname: 'Una', lastname: 'Rossi' },
  val: { email: 'val.berger@northlab.org', firstname: 'Val', lastname: 'Berger' },
  wim: { email: 'wim.haas@northlab.org', firstname: 'Wim', lastname: 'Haas' },
  ema: { email: 'ema.lorenz@northlab.org', firstname: 'Ema', lastname: 'Lorenz' },
  kai: { email: 'kai.brandt@eastlab.org', firstname: 'Kai', lastname: 'Brandt' },
  lin: { email: 'lin.faber@northlab.org', firstname: 'Lin', lastname: 'Faber' },
  nol: { email: 'nol.ruiz@northlab.org', firstname: 'Nol', lastname: 'Ruiz' },
  sol: { email: 'sol.vega@sociallab.org', firstname: 'Sol', lastname: 'Vega' },
  nia: { email: 'nia.berg@loglab.org', firstname: 'Nia', lastname: 'Berg' },
  oli: { email: 'oli.novak@loglab.org', firstname: 'Oli', lastname: 'Novak' },
  ona: { email: 'ona.costa@northlab.org', firstname: 'Ona', lastname: 'Costa' },
} as const;

/**
 * The other logins of sociallab's sites; `azure` and `work` are issuers of the configuration. Each has its own user.
 */
export const socialNames = ['google', 'linkedin', 'github', 'facebook', 'twitter', 'azure', 'work'] as const;
export type SocialName = (typeof socialNames)[number];
export const socialUser = (name: SocialName | 'opensocial' | 'stranger') => ({ email: `by.${name}@sociallab.org` });

/** The number of networks of Dora besides northlab. */
export const manyNetworks = 4_999;

/** The number of unvisited sites of westlab: more than two pages. */
export const farSites = 620;

/** The number of log lines of loglab besides Oli's: more than two pages. */
export const crowdLines = 620;

/** The maximum length of a name. */
export const longName = 'the-laboratory-with-the-longest-name-of-all-the-laboratories-so';

/** Accounts without a password, each with the token of its link. */
export const invitations = Array.from({ length: 12 }, (_, index) => ({
  email: `guest-${index}@northlab.org`,
  token: `invitation-token-of-guest-${index}`,
}));

/** Expired links: to confirm an account, and for a new password. */
export const spentLinks = [
  { email: 'late@northlab.org', token: 'token-of-an-invitation-of-last-year', purpose: 'activation' },
  { email: 'slow@northlab.org', token: 'token-of-a-new-password-of-last-year', purpose: 'reset' },
] as const;

/** The prefix of every secret in the seeded networks: no answer and no log line may contain it. */
export const plantedSecret = 'planted-5Yk2q8';

/** The secret of Vic's and Val's authenticator apps. */
export const authenticatorSecret = Buffer.from('a secret of 20 bytes');

/** Sessions that a test could not open: Val's and Sol's are old, Wim and Nol used a social login. */
export const openSessions = {
  val: 'token-of-a-session-of-val',
  sol: 'token-of-a-session-of-sol',
  wim: 'token-of-a-session-of-wim',
  nol: 'token-of-a-session-of-nol',
};
