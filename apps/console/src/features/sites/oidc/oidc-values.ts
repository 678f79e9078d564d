import { type OidcClient, type OidcClientChanges, type OidcParameters, OidcSiteDraft } from '@opensocial/contract';
import { schemaFaults } from '../../../patterns/form/schema-faults.ts';

/** The fields of the form: lists are texts with one address per line, and the keys are JSON. */
export type OidcValues = Omit<OidcParameters, 'redirect_uris' | 'post_logout_uris' | 'jwks'> & {
  domain: string;
  redirect_uris: string;
  post_logout_uris: string;
  jwks: string;
  /** Absent for a new site. */
  version?: number;
};

export const blankValues: OidcValues = {
  domain: '',
  authentication: 'secret',
  redirect_uris: '',
  post_logout_uris: '',
  backchannel_logout_uri: '',
  frontchannel_logout_uri: '',
  algorithm: 'RS256',
  requires_pkce: false,
  allows_offline: false,
  jwks: '',
  jwks_uri: '',
};

export const toValues = ({
  id: _id,
  client_id: _clientId,
  endpoints: _endpoints,
  secrets: _secrets,
  ...client
}: OidcClient): OidcValues => ({
  ...client,
  redirect_uris: client.redirect_uris.join('\n'),
  post_logout_uris: client.post_logout_uris.join('\n'),
  jwks: client.jwks ? JSON.stringify(client.jwks, undefined, 2) : '',
});

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** A set of keys, or one key as a set. Undefined if the text is no JSON object. */
const parseKeys = (text: string): OidcParameters['jwks'] | undefined => {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
    return 'keys' in parsed ? (parsed as { keys: Record<string, unknown>[] }) : { keys: [{ ...parsed }] };
  } catch {
    return undefined;
  }
};

/** The values as the calls take them. A site that does not authenticate with its own key has no keys, whatever was entered before. */
const toParameters = ({ domain: _domain, version: _version, ...values }: OidcValues): OidcParameters => {
  const isKeyed = values.authentication === 'private_key_jwt';
  return {
    ...values,
    redirect_uris: linesOf(values.redirect_uris),
    post_logout_uris: linesOf(values.post_logout_uris),
    requires_pkce: values.requires_pkce || values.authentication === 'none',
    jwks: (isKeyed && parseKeys(values.jwks)) || null,
    jwks_uri: isKeyed ? values.jwks_uri.trim() : '',
  };
};

export const toDraft = (values: OidcValues): OidcSiteDraft => ({
  domain: values.domain.trim(),
  ...toParameters(values),
});

export const toChanges = (id: number, values: OidcValues): OidcClientChanges => ({
  id,
  ...toParameters(values),
  ...(values.version !== undefined && { version: values.version }),
});

const checkSchema = schemaFaults(OidcSiteDraft);

export const faultsOf = (values: OidcValues): Record<string, string> => {
  const lacksJson =
    values.authentication === 'private_key_jwt' && values.jwks.trim() !== '' && parseKeys(values.jwks) === undefined;
  return {
    ...checkSchema(toDraft(values)),
    ...(values.domain.trim() === '' && { domain: 'This filed is required' }),
    ...(lacksJson && { jwks: 'Paste the keys as JSON: a key, or an object with the list "keys".' }),
  };
};

/** The fields whose values differ, apart from the version. */
export const differingFields = (one: OidcValues, other: OidcValues): string[] =>
  (Object.keys(blankValues) as (keyof OidcValues)[]).filter((field) => one[field] !== other[field]);
