import { type Configuration, fetchProtectedResource, fetchUserInfo, type IDToken } from 'openid-client';
import { z } from 'zod';
import type { Profile, Provider } from './social.providers.ts';

type Tokens = { access_token: string; claims: () => IDToken | undefined };

/** Who a provider says is there. */
export const readProfile = (configuration: Configuration, provider: Provider, tokens: Tokens): Promise<Profile> =>
  provider.kind === 'openid'
    ? readClaims(configuration, provider, tokens)
    : readAnswers(configuration, provider, tokens.access_token);

const Text = z.string().catch('');
const Subject = z.string().min(1).max(255);
const True = z.union([z.literal(true), z.literal('true'), z.literal(1), z.literal('1')]);
const isTrue = (value: unknown): boolean => True.safeParse(value).success;

/** An address and whether it is verified are taken from one place, the token or else the userinfo, never from both. */
const readClaims = async (
  configuration: Configuration,
  { isNamed }: Provider,
  { access_token, claims }: Tokens,
): Promise<Profile> => {
  const proven = claims();
  if (!proven) throw new Error('There is no token that says who came.');
  const isComplete = proven['email'] !== undefined || !configuration.serverMetadata().userinfo_endpoint;
  const told = isComplete ? proven : await fetchUserInfo(configuration, access_token, proven.sub);
  const subject = Subject.parse(proven.sub);
  return {
    // A name can be given to another issuer, whose subjects are other people.
    subject: isNamed ? `${proven.iss} ${subject}` : subject,
    email: Text.parse(told['email']),
    // Microsoft lets a tenant write any address, and says with xms_edov whether its domain is the tenant's.
    emailVerified: isTrue(told['email_verified']) || isTrue(told['xms_edov']),
    firstname: Text.parse(told['given_name']),
    lastname: Text.parse(told['family_name']),
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
    if (!answer.ok) throw new Error(`The profile was answered with ${answer.status}.`);
    return answer.json() as Promise<unknown>;
  });
  return read(...(await Promise.all(answers)));
};
