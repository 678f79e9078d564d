import { wellKnown } from '../../apps/server/src/features/social/social.providers.ts';
import { type Asking, movedTo, startOauthServer } from '../../apps/server/src/testing/services/oauth-server.ts';
import { startOpenIdProvider } from '../../apps/server/src/testing/services/openid-provider.ts';
import { origin, plantedSecret, type SocialName } from './world.ts';

type Keys = { id: string; secret: string };
type Fields = Record<string, string | undefined>;

/** Stands for a provider's own sign-in page: the user enters who they are, or cancels. */
const page = (label: string, carried: Fields): string => `<!doctype html><html lang="en"><title>${label}</title>
<main><h1>${label}</h1><form>${Object.entries(carried)
  .map(([name, value = '']) => `<input type="hidden" name="${name}" value="${value.replaceAll('"', '&quot;')}">`)
  .join('')}
<label>Account <input name="account"></label><label>Address <input name="address"></label>
<label><input type="checkbox" name="verified"> Verified</label>
<button>Allow</button><button name="cancel">Cancel</button></form></main></html>`;

const oauth = ['github', 'facebook', 'twitter'] as const;
type OauthName = (typeof oauth)[number];

/** The user information of each provider, in its own format. */
const answers: Record<OauthName, (person: Fields, path: string) => unknown> = {
  github: ({ account, address, verified }, path) =>
    path === '/user'
      ? { id: Number(account), name: 'Somebody' }
      : [{ email: address, primary: true, verified: verified !== undefined }],
  facebook: ({ account, address }) => ({ id: account, email: address }),
  twitter: ({ account, address, verified }) => ({
    data: { id: account, name: 'Somebody', ...(verified !== undefined && { confirmed_email: address }) },
  }),
};

/**
 * The external providers on the loopback interface: a real OpenID provider for those that support it, and a small OAuth
 * 2 server with the paths of each other one. Returns the keys of each, and the issuers for the configuration.
 */
export const startIdentityProviders = async () => {
  const secret = `${plantedSecret}-openid`;
  const clients = [
    { id: 'google', secret, names: ['google'] },
    { id: 'linkedin', secret, names: ['linkedin'], hasNoPkce: true },
    { id: 'named', secret, names: ['azure', 'work'] },
  ];
  const openid = await startOpenIdProvider(clients, {
    origin,
    interact: ({ searchParams }, response) => {
      if (searchParams.has('cancel')) return { error: 'access_denied' };
      const accountId = searchParams.get('account');
      if (accountId === null) {
        response.setHeader('content-type', 'text/html').end(page('OpenID', {}));
        return undefined;
      }
      const email = searchParams.get('address');
      openid.people.set(accountId, { email, email_verified: searchParams.has('verified') });
      return { login: { accountId } };
    },
  });
  const keys: Partial<Record<SocialName, Keys>> = {
    google: { id: 'google', secret },
    linkedin: { id: 'linkedin', secret },
  };
  const moved: Record<string, unknown> = {
    google: { ...wellKnown.google, issuer: openid.issuer },
    linkedin: { ...wellKnown.linkedin, issuer: openid.issuer },
  };
  const stops = [openid.stop];
  for (const name of oauth) {
    const { label } = wellKnown[name];
    const asking: Asking = {
      page: (asked) => ('account' in asked || 'cancel' in asked ? undefined : page(label, asked)),
      answer: answers[name],
    };
    const server = await startOauthServer(wellKnown[name], asking);
    moved[name] = movedTo(server.origin, wellKnown[name]);
    keys[name] = server.client;
    stops.push(server.stop);
  }
  // Their URLs are fixed in the product; the tests replace them.
  Object.assign(wellKnown, moved);
  return {
    keys,
    issuers: ['azure', 'Work'].map((name) => `${name}=${openid.issuer}|named|${secret}`).join(' '),
    stop: () => Promise.all(stops.map((stop) => stop())),
  };
};
