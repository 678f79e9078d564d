import { type Configuration, fetchProtectedResource, fetchUserInfo, type IDToken } from 'openid-client';
import { z } from 'zod';
import type { Profile, Provider } from './social.providers.ts';

type Tokens = { access_token: string; claims: () => IDToken | undefined };

/** Reads the profile of the person who signed in at a provider. */
export const readProfile = (configuration: Configuration, provider: Provider, tokens: Tokens): Promise<Profile> =>
  provider.kind === 'openid'
    ? readClaims(configuration, provider, tokens)
    : readAnswers(configuration, provider, tokens.access_token);

const Text = z.string().catch('');
const Subject = z.string().min(1).max(255);
const True = z.union([z.literal(true), z.literal('true'), z.literal(1), z.literal('1')]);
const isTrue = (value: unknown): boolean => True.safeParse(value).success;

/**
 * The email address and whether it is verified come from one source, the ID token or otherwise the userinfo, never from
 * both.
 */
const readClaims = async (
  configuration: Configuration,
  { isNamed }: Provider,
  { access_token, claims }: Tokens,
): Promise<Profile> => {
  const idClaims = claims();
  if (!idClaims) throw new Error('The provider sent no ID token.');
  const isComplete = idClaims['email'] !== undefined || !configuration.serverMetadata().userinfo_endpoint;
  const userInfo = isComplete ? idClaims : await fetchUserInfo(configuration, access_token, idClaims.sub);
  const subject = Subject.parse(idClaims.sub);
  return {
    // The operator can reassign a name to another issuer, whose subjects are other people.
    subject: isNamed ? `${idClaims.iss} ${subject}` : subject,
    email: Text.parse(userInfo['email']),
    // Microsoft lets a tenant set any address; xms_edov says whether the tenant owns its domain.
    emailVerified: isTrue(userInfo['email_verified']) || isTrue(userInfo['xms_edov']),
    firstname: Text.parse(userInfo['given_name']),
    lastname: Text.parse(userInfo['family_name']),
  };
};

const readAnswers = async (
  configuration: Configuration,
  { addresses, read }: Extract<Provider, { kind: 'oauth' }>,
  accessToken: string,
): Promise<Profile> => {
  const answers = addresses.map(async (address) => {
    const headers = new Headers({ accept: 'application/json' });
    const answer = await fetchProtectedResource(configuration, accessToken, new URL(address), 'GET', null, headers);
    if (!answer.ok) throw new Error(`The provider answered the profile request with ${answer.status}.`);
    return answer.json() as Promise<unknown>;
  });
  return read(...(await Promise.all(answers)));
};
