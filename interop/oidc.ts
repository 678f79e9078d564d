import { address } from './identity-provider.ts';
import { portalSession } from './lemonldap.ts';
import { apacheParty, authlibParty, lemonParty, type RelyingParty, startRelyingParties } from './relying-parties.ts';
import { report, type World } from './report.ts';
import { host } from './service-providers.ts';
import type { Seen, Visitor } from './visitor.ts';

type Session = { idp: World['idp']; visitor: Visitor; party: RelyingParty };

/** The address of the person on a page of a relying party. */
const personOn = ({ person }: RelyingParty, { text }: Seen): string | undefined => person.exec(text)?.[1];

/** Whether a page shows neither a person nor a form for signing in. */
const isNobody = (party: RelyingParty, seen: Seen): boolean =>
  personOn(party, seen) === undefined && !seen.text.includes('type="password"');

/** A sign-on with the password, one with the session alone, and the parameters that ask for either. */
const checkSignOn = async ({ idp, visitor, party }: Session): Promise<void> => {
  const { email } = visitor.credentials;
  const stranger = await idp.visitor();
  const silent = await stranger.open(party.silent);
  report(`${party.name}: prompt=none without a session`, isNobody(party, silent), silent.text);
  const first = await visitor.open(party.page);
  report(`${party.name}: sign-on`, personOn(party, first) === email, first.text);
  visitor.forget(host);
  const again = await visitor.open(party.silent);
  report(`${party.name}: prompt=none with a session`, personOn(party, again) === email, again.text);
  visitor.forget(host);
  const before = await signedInAt({ idp, visitor, party });
  const forced = await visitor.open(party.forced);
  const after = await signedInAt({ idp, visitor, party });
  report(`${party.name}: forced sign-on`, personOn(party, forced) === email && after > before, forced.text);
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

/** The portal reads the claims from the userinfo endpoint. */
const checkLemonSession = async (visitor: Visitor, { connection }: World['idp']): Promise<void> => {
  const { rows } = await connection.db.$client.query<Record<string, unknown>>(
    `select uid as _user, email as mail, firstname || ' ' || lastname as cn, lastname as sn from users where email = $1`,
    [visitor.credentials.email],
  );
  const { text } = await visitor.open(portalSession);
  const session = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
  const expected = Object.entries(rows[0] ?? { _user: 'the person' });
  const isSame = expected.every(([name, value]) => session[name] === value);
  report('LemonLDAP::NG: user and claims in its session', isSame, text);
};

/** Signs in at both, and signs out at one. The other one is informed by the back channel. */
const checkLogout = async ({ idp }: World, party: RelyingParty, other: RelyingParty): Promise<void> => {
  const visitor = await idp.visitor();
  for (const each of [party, other]) await visitor.open(each.page);
  const page = await visitor.open(party.logout);
  const returned = page.form ? await visitor.submit(page) : page;
  report(`${party.name}: logout returns to the application`, returned.text.includes(party.goodbye), returned.text);
  const silent = await visitor.open(party.silent);
  report(`${party.name}: logout ends the session`, isNobody(party, silent), silent.text);
  // The back channel takes a moment.
  const end = Date.now() + 10_000;
  let seen: Seen;
  do seen = await visitor.open(other.silent);
  while (personOn(other, seen) !== undefined && Date.now() < end);
  report(`${other.name}: is informed of the logout`, personOn(other, seen) === undefined, seen.text);
};

/** The portal refuses the message of the back channel, so it must not count as informed. */
const checkUninformed = async ({ idp }: World): Promise<void> => {
  const visitor = await idp.visitor();
  await visitor.open(lemonParty.page);
  const page = await visitor.open(`${address}/server/saml/logout`);
  const ended = page.form ? await visitor.submit(page) : page;
  const isNamed = /could not be signed out.*<bdi>lemonldap\.example\.org</s.test(ended.text);
  report('LemonLDAP::NG: is named as not informed', isNamed, ended.text);
};

const checkTokens = new Map<RelyingParty, (visitor: Visitor, idp: World['idp']) => Promise<void>>([
  [apacheParty, checkApacheTokens],
  [authlibParty, checkAuthlibTokens],
  [lemonParty, checkLemonSession],
]);

/** Sign-ons, tokens and logouts of relying parties that use OpenID Connect. */
export const checkOidc = async (world: World): Promise<void> => {
  const parties = await startRelyingParties(world.folder, world.idp);
  for (const party of parties) {
    const visitor = await world.idp.visitor();
    await checkSignOn({ idp: world.idp, visitor, party });
    await checkTokens.get(party)?.(visitor, world.idp);
  }
  await checkLogout(world, apacheParty, authlibParty);
  await checkLogout(world, authlibParty, apacheParty);
  await checkLogout(world, lemonParty, authlibParty);
  await checkUninformed(world);
};
