import { apacheParty, authlibParty, issuer, type RelyingParty, startRelyingParties } from './relying-parties.ts';
import { report, type World } from './report.ts';
import { host } from './service-providers.ts';
import type { Seen, Visitor } from './visitor.ts';

type Session = { idp: World['idp']; visitor: Visitor; party: RelyingParty };

const isSignedIn = async ({ visitor, party }: Session): Promise<boolean> =>
  (await visitor.open(party.page)).text.includes(`signed in as ${visitor.credentials.email}`);

/** Whether a page shows neither a person nor a form for signing in. */
const isNobody = ({ text }: Seen): boolean => !text.includes('signed in as') && !text.includes('type="password"');

/** A sign-on with the password, one with the session alone, and the parameters that ask for either. */
const checkSignOn = async ({ idp, visitor, party }: Session): Promise<void> => {
  const stranger = await idp.visitor();
  const silent = await stranger.open(party.silent);
  report(`${party.name}: prompt=none without a session`, isNobody(silent), silent.text);
  const first = await visitor.open(party.page);
  report(`${party.name}: sign-on`, first.text.includes(`signed in as ${visitor.credentials.email}`), first.text);
  visitor.forget(host);
  const again = await visitor.open(party.silent);
  report(`${party.name}: prompt=none with a session`, again.text.includes('signed in as'), again.text);
  visitor.forget(host);
  const before = await signedInAt({ idp, visitor, party });
  const forced = await visitor.open(party.forced);
  const after = await signedInAt({ idp, visitor, party });
  report(`${party.name}: max_age=0`, forced.text.includes('signed in as') && after > before, forced.text);
};

/** When the person has entered the password for the last time. */
const signedInAt = async ({ idp: { connection }, visitor }: Session): Promise<number> => {
  const { rows } = await connection.db.$client.query<{ at: Date | null }>(
    `select max(authenticated_at) as at from identity_sessions join users on users.id = user_id where email = $1`,
    [visitor.credentials.email],
  );
  return rows[0]?.at?.getTime() ?? 0;
};

const checkAuthlibTokens = async (visitor: Visitor): Promise<void> => {
  const { origin } = new URL(authlibParty.page);
  const refreshed = await visitor.open(`${origin}/refresh`);
  report('Authlib: refresh', refreshed.text === 'refreshed True', refreshed.text);
  const info = await visitor.open(`${origin}/userinfo`);
  report('Authlib: userinfo', info.text.includes(visitor.credentials.email), info.text);
};

const checkApacheTokens = async (visitor: Visitor): Promise<void> => {
  const { origin } = new URL(apacheParty.page);
  const read = async () => {
    const { text } = await visitor.open(`${origin}/callback?info=json`);
    if (!text.startsWith('{')) return { text };
    return { text, ...(JSON.parse(text) as { access_token?: string; userinfo?: { email?: string } }) };
  };
  const former = await read();
  report('mod_auth_openidc: userinfo', former.userinfo?.email === visitor.credentials.email, former.text);
  const token = encodeURIComponent(former.access_token ?? '');
  await visitor.open(`${origin}/callback?refresh=${encodeURIComponent(apacheParty.page)}&access_token=${token}`);
  const { access_token, text } = await read();
  report('mod_auth_openidc: refresh', access_token !== undefined && access_token !== former.access_token, text);
};

/** Signs in at both, and signs out at one. The other one is informed by the back channel. */
const checkLogout = async ({ idp }: World, party: RelyingParty, other: RelyingParty): Promise<void> => {
  const visitor = await idp.visitor();
  for (const each of [party, other]) await isSignedIn({ idp, visitor, party: each });
  const page = await visitor.open(party.logout);
  const returned = page.form ? await visitor.submit(page) : page;
  report(`${party.name}: logout returns to the application`, returned.text.includes('signed out'), returned.text);
  const silent = await visitor.open(party.silent);
  report(`${party.name}: logout ends the session`, isNobody(silent), silent.text);
  // The back channel takes a moment.
  const end = Date.now() + 10_000;
  let text: string;
  do ({ text } = await visitor.open(other.silent));
  while (text.includes('signed in as') && Date.now() < end);
  report(`${other.name}: is informed of the logout`, !text.includes('signed in as'), text);
};

/** Sign-ons, tokens and logouts of relying parties that use OpenID Connect. */
export const checkOidc = async (world: World): Promise<void> => {
  const parties = await startRelyingParties(world.folder, world.idp);
  for (const party of parties) {
    const visitor = await world.idp.visitor();
    await checkSignOn({ idp: world.idp, visitor, party });
    await (party === apacheParty ? checkApacheTokens(visitor) : checkAuthlibTokens(visitor));
  }
  const { status } = await fetch(`${issuer}/logout`, { redirect: 'manual' });
  if (status === 404) report('logout', false, 'The server has no endpoint for logouts.');
  else {
    await checkLogout(world, apacheParty, authlibParty);
    await checkLogout(world, authlibParty, apacheParty);
  }
};
