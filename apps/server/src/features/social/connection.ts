import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client';
import type { Config } from '../../config.ts';
import { callOutbound } from '../../http/outbound.ts';
import { hashToken } from '../../secrets/tokens.ts';
import type { Provider } from './social.providers.ts';

const largestAnswer = 256 * 1024;
const minutesKept = 60;

/** In-process cache of the discovered configuration and keys of providers, for an hour. */
const configurations = new Map<string, { until: number; configuration: Promise<Configuration> }>();

/** Returns the configuration of a provider, ready for requests. */
export const connectTo = (config: Config, provider: Provider): Promise<Configuration> => {
  const key = keyOf(provider);
  const known = configurations.get(key);
  if (known && known.until > performance.now()) return known.configuration;
  removeExpired();
  const configuration = open(config, provider);
  configurations.set(key, { until: performance.now() + minutesKept * 60_000, configuration });
  // A failed discovery is not cached; the next sign-in tries again.
  configuration.catch(() => configurations.delete(key));
  return configuration;
};

const keyOf = (provider: Provider): string => {
  const where = provider.kind === 'openid' ? provider.issuer : provider.server.token_endpoint;
  return hashToken(JSON.stringify([where, provider.client.id, provider.client.secret])).toString('base64');
};

const removeExpired = (): void => {
  for (const [key, { until }] of configurations) if (until <= performance.now()) configurations.delete(key);
};

const open = async ({ allowsPrivateTargets }: Config, provider: Provider): Promise<Configuration> => {
  const fetch = outboundFetch(allowsPrivateTargets);
  const authentication = authenticate(provider.client.secret);
  const prepare = allowsPrivateTargets ? [allowInsecureRequests] : [];
  if (provider.kind === 'openid')
    return discovery(new URL(provider.issuer), provider.client.id, undefined, authentication, {
      [customFetch]: fetch,
      execute: [...prepare, enableNonRepudiationChecks],
    });
  const configuration = new Configuration(provider.server, provider.client.id, undefined, authentication);
  configuration[customFetch] = fetch;
  for (const step of prepare) step(configuration);
  return configuration;
};

/** Sends the client secret in the body, unless the provider does not support that. */
const authenticate =
  (secret: string): ClientAuth =>
  (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported;
    if (!methods || methods.includes('client_secret_post'))
      return ClientSecretPost(secret)(server, client, body, headers);
    // The library's implementation also encodes hyphens and underscores, which not every provider decodes.
    const pair = [client.client_id, secret].map(encodeURIComponent).join(':');
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
  };

/** The metadata of a provider names the URLs that we call next, so all requests go through the outbound guard. */
const outboundFetch =
  (allowsPrivate: boolean): CustomFetch =>
  async (url, { method, headers, body }) => {
    const {
      status,
      contentType,
      body: answer,
    } = await callOutbound({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(body instanceof URLSearchParams && { body: body.toString() }),
      allowsPrivate,
      maximumBytes: largestAnswer,
    });
    const text = answer.length > 0 ? new Uint8Array(answer) : null;
    return new Response(text, { status, headers: { 'content-type': contentType } });
  };
