/**
 * The addresses of the tests' server and service provider. The service provider has another host name, so that browsers
 * treat it as another site.
 */
const port = Number(process.env['E2E_PORT'] ?? 4100);
export const origin = `http://localhost:${port}`;
export const serviceProviderOrigin = `http://127.0.0.1:${port + 1}`;
/** Where tests read the mails that the server has sent. */
export const mailboxOrigin = `http://127.0.0.1:${port + 2}`;
/** Ports of programs that a test starts: a first start, and the demonstration, which takes two. */
export const firstStartPort = port + 3;
export const demonstrationPort = port + 4;
/** Applications that answer logout requests in different ways: on another site than the server, and on the same one. */
export const otherSiteOrigin = `http://127.0.0.1:${port + 6}`;
export const sameSiteOrigin = `http://localhost:${port + 7}`;
/** An application that runs in the browser, served on another site than the server, and on the same one. */
export const browserClientOrigins = {
  otherSite: `http://127.0.0.1:${port + 8}`,
  sameSite: `http://localhost:${port + 9}`,
} as const;
/** An application with its own server that a test starts, which signs people in by OpenID Connect. */
export const notebook = {
  port: port + 10,
  address: `http://127.0.0.1:${port + 10}`,
  clientId: 'notebook',
} as const;
/** An installation without a mail server, which a test starts. */
export const withoutMailPort = port + 11;
/** A URL where no server listens. */
export const unreachableUrl = 'http://127.0.0.1:9/';
export const demonstration = `${serviceProviderOrigin}/demonstration`;

export const password = 'correct horse battery staple';

/** The people of the tests. Tests that change a person or a network have their own, so that they do not disturb others. */
export const people = {
  /** Owner of northlab, and a member of the main network. */
  ana: { email: 'ana.moreno@northlab.org', firstname: 'Ana', lastname: 'Moreno' },
  /** User of northlab. */
  ben: { email: 'ben.ito@northlab.org', firstname: 'Ben', lastname: 'Ito' },
  /** User of southlab, which has no apps. */
  cleo: { email: 'cleo.diaz@southlab.org', firstname: 'Cleo', lastname: 'Diaz' },
  /** Member of thousands of networks. */
  dora: { email: 'dora.silva@northlab.org', firstname: 'Dora', lastname: 'Silva' },
  /** Member of northlab and southlab, for one test that changes the default network. */
  emil: { email: 'emil.weber@northlab.org', firstname: 'Emil', lastname: 'Weber' },
  /** Member of northlab and southlab, for another test that changes the default network. */
  fay: { email: 'fay.larsen@northlab.org', firstname: 'Fay', lastname: 'Larsen' },
  /** Owner of eastlab, where tests change sites, users and groups, and of westlab. */
  gil: { email: 'gil.katz@eastlab.org', firstname: 'Gil', lastname: 'Katz' },
  /** User of eastlab, whom a test disables. */
  hana: { email: 'hana.vogel@eastlab.org', firstname: 'Hana', lastname: 'Vogel' },
  /** Owner of westlab, whose mode is Visited. */
  ida: { email: 'ida.berg@westlab.org', firstname: 'Ida', lastname: 'Berg' },
  /** Owner of dragdesk, where a test arranges the desktop. */
  jon: { email: 'jon.okafor@dragdesk.org', firstname: 'Jon', lastname: 'Okafor' },
  /** Owner of tiledesk, where a test changes tiles. */
  kim: { email: 'kim.haddad@tiledesk.org', firstname: 'Kim', lastname: 'Haddad' },
  /** Owner of modedesk, where a test changes the mode. */
  lou: { email: 'lou.meyer@modedesk.org', firstname: 'Lou', lastname: 'Meyer' },
  /** User of modedesk. */
  max: { email: 'max.sato@modedesk.org', firstname: 'Max', lastname: 'Sato' },
  /** Owner of rulelab, where tests change the settings. */
  rhea: { email: 'rhea.ono@rulelab.org', firstname: 'Rhea', lastname: 'Ono' },
  /** User of rulelab, who has not signed in for a year. */
  seb: { email: 'seb.baker@rulelab.org', firstname: 'Seb', lastname: 'Baker' },
  /** Owner of maillab, which has mail templates of its own. */
  mia: { email: 'mia.roth@maillab.org', firstname: 'Mia', lastname: 'Roth' },
  /** Owner of signinlab, who forgets the password. */
  uma: { email: 'uma.reyes@signinlab.org', firstname: 'Uma', lastname: 'Reyes' },
  /** User of signinlab with an authenticator app. */
  vic: { email: 'vic.lund@signinlab.org', firstname: 'Vic', lastname: 'Lund' },
  /** User of signinlab with an expired password. */
  wes: { email: 'wes.adair@signinlab.org', firstname: 'Wes', lastname: 'Adair' },
  /** User of strictlab, which requires a second factor, with mailed codes. */
  xia: { email: 'xia.chen@strictlab.org', firstname: 'Xia', lastname: 'Chen' },
  /** User of strictlab without a second factor. */
  yan: { email: 'yan.kim@strictlab.org', firstname: 'Yan', lastname: 'Kim' },
  /** User of signinlab without a second factor. */
  zoe: { email: 'zoe.park@signinlab.org', firstname: 'Zoe', lastname: 'Park' },
  /** Users of northlab, each for the tests of the profile that change them. */
  ira: { email: 'ira.voss@northlab.org', firstname: 'Ira', lastname: 'Voss' },
  noa: { email: 'noa.lind@northlab.org', firstname: 'Noa', lastname: 'Lind' },
  oda: { email: 'oda.kern@northlab.org', firstname: 'Oda', lastname: 'Kern' },
  pia: { email: 'pia.roth@northlab.org', firstname: 'Pia', lastname: 'Roth' },
  rex: { email: 'rex.adler@northlab.org', firstname: 'Rex', lastname: 'Adler' },
  tom: { email: 'tom.okoro@northlab.org', firstname: 'Tom', lastname: 'Okoro' },
  una: { email: 'una.rossi@northlab.org', firstname: 'Una', lastname: 'Rossi' },
  /** User of northlab, who chooses favourites. */
  abe: { email: 'abe.santos@northlab.org', firstname: 'Abe', lastname: 'Santos' },
  /** User of northlab, who makes sections. */
  gus: { email: 'gus.hoffman@northlab.org', firstname: 'Gus', lastname: 'Hoffman' },
  /** User of northlab with an authenticator app and mailed codes. */
  val: { email: 'val.berger@northlab.org', firstname: 'Val', lastname: 'Berger' },
  /** User of northlab, signed in with a social login. */
  wim: { email: 'wim.haas@northlab.org', firstname: 'Wim', lastname: 'Haas' },
  /** User of northlab, who is invited to eastlab. */
  ema: { email: 'ema.lorenz@northlab.org', firstname: 'Ema', lastname: 'Lorenz' },
  /** User of eastlab, who has lost the authenticator app. */
  kai: { email: 'kai.brandt@eastlab.org', firstname: 'Kai', lastname: 'Brandt' },
  /** User of northlab with two linked logins. */
  lin: { email: 'lin.faber@northlab.org', firstname: 'Lin', lastname: 'Faber' },
  /** User of northlab without a password, with one linked login. */
  nol: { email: 'nol.ruiz@northlab.org', firstname: 'Nol', lastname: 'Ruiz' },
  /** Owner of sociallab, whose sites offer social logins. */
  sol: { email: 'sol.vega@sociallab.org', firstname: 'Sol', lastname: 'Vega' },
  /** Owner of loglab, where tests read the login log. */
  nia: { email: 'nia.berg@loglab.org', firstname: 'Nia', lastname: 'Berg' },
  /** User of loglab. */
  oli: { email: 'oli.novak@loglab.org', firstname: 'Oli', lastname: 'Novak' },
  /** Owner of accesslab, where a test finds out why Finn cannot enter a site. */
  eva: { email: 'eva.lopez@accesslab.org', firstname: 'Eva', lastname: 'Lopez' },
  /** User of accesslab. */
  finn: { email: 'finn.olsen@accesslab.org', firstname: 'Finn', lastname: 'Olsen' },
  /** Owner of worklab, where tests try sign-ins and plan maintenance. */
  cara: { email: 'cara.nunez@worklab.org', firstname: 'Cara', lastname: 'Nunez' },
  /** User of worklab. */
  dan: { email: 'dan.fischer@worklab.org', firstname: 'Dan', lastname: 'Fischer' },
  /** User of worklab, who may enter a site that is closed for maintenance. */
  eli: { email: 'eli.marsh@worklab.org', firstname: 'Eli', lastname: 'Marsh' },
  /** Users of the network whose applications answer logout requests in different ways. */
  lea: { email: 'lea.sommer@outlab.org', firstname: 'Lea', lastname: 'Sommer' },
  leo: { email: 'leo.winter@outlab.org', firstname: 'Leo', lastname: 'Winter' },
  liv: { email: 'liv.herbst@outlab.org', firstname: 'Liv', lastname: 'Herbst' },
  /** User of that network, who signs in to the application in the browser. */
  lux: { email: 'lux.maurer@outlab.org', firstname: 'Lux', lastname: 'Maurer' },
  /** Owner of the main network. */
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

/** The number of sites of westlab that nobody has visited. They fill more than two pages. */
export const unvisitedSiteCount = 620;

/** The number of log lines of loglab that are not Oli's. They fill more than two pages. */
export const otherLineCount = 620;

/** The maximum length of a name. */
export const longName = 'the-laboratory-with-the-longest-name-of-all-the-laboratories-so';

/** Accounts without a password, each with the token of its link. */
export const invitations = Array.from({ length: 12 }, (_, index) => ({
  email: `guest-${index}@northlab.org`,
  token: `invitation-token-of-guest-${index}`,
}));

/** Expired links: to confirm an account, and for a new password. */
export const expiredLinks = [
  { email: 'late@northlab.org', token: 'token-of-an-invitation-of-last-year', purpose: 'activation' },
  { email: 'slow@northlab.org', token: 'token-of-a-new-password-of-last-year', purpose: 'reset' },
] as const;

/** The prefix of every secret in the seeded networks: no answer and no log line may contain it. */
export const plantedSecret = 'planted-5Yk2q8';

/** The secret of the client that a test of a sign-in uses. */
export const notebookSecret = `${plantedSecret}-notebook-${'s'.repeat(20)}`;

/** The secret of Vic's and Val's authenticator apps. */
export const authenticatorSecret = Buffer.from('a secret of 20 bytes');

/** Sessions that a test could not open: Val's and Sol's are old, Wim and Nol used a social login. */
export const openSessions = {
  val: 'token-of-a-session-of-val',
  sol: 'token-of-a-session-of-sol',
  wim: 'token-of-a-session-of-wim',
  nol: 'token-of-a-session-of-nol',
};

export const logoutNetwork = 'outlab';

/** The applications of that network, by their keys. */
export const logoutSites = {
  far: { name: 'Far', at: otherSiteOrigin, answers: 'redirect' },
  remote: { name: 'Remote', at: otherSiteOrigin, answers: 'redirect' },
  near: { name: 'Near', at: sameSiteOrigin, answers: 'redirect' },
  posting: { name: 'Posting', at: otherSiteOrigin, answers: 'post' },
  server: { name: 'Server', at: otherSiteOrigin, answers: 'soap' },
  silent: { name: 'Silent', at: otherSiteOrigin, answers: 'never' },
  failing: { name: 'Failing', at: otherSiteOrigin, answers: 'an error page' },
  busting: { name: 'Busting', at: otherSiteOrigin, answers: 'leaving the frame' },
  dead: { name: 'Dead', at: otherSiteOrigin, answers: 'never' },
  none: { name: 'None', at: otherSiteOrigin, answers: 'never' },
  lost: { name: 'Lost', at: otherSiteOrigin, answers: 'only in a frame' },
} as const;
export type LogoutSite = keyof typeof logoutSites;

/** Applications of that network that use OpenID Connect, with the channel by which they learn of a logout. */
export const logoutClients = {
  framed: { name: 'Framed', channel: 'frame' },
  hanging: { name: 'Hanging', channel: 'frame' },
  told: { name: 'Told', channel: 'server' },
} as const;
export type LogoutClient = keyof typeof logoutClients;

/** The id of the application that runs in the browser, a client without a secret of the same network. */
export const browserClientId = 'browser-client';
