import {
  buildLogoutResponse,
  type LogoutStatus,
  newSamlId,
  parseLogoutRequest,
  postForm,
  readPost,
  readRedirect,
  redirectUrl,
  type SigningKey,
} from '@opensocial/saml';
import { unescape } from './shown-form.ts';
import { testOrigin } from './test-parts.ts';

/** A logout request as our pages give it to the browser. */
export type GivenRequest = { redirect: string } | { form: { action: string; fields: Record<string, string> } };

/** A page of a site for a frame, which does not answer. */
export type GivenPage = { page: string; id: number };

/** The requests that the page with the frames has, by the name of the site. */
export const framesOf = <T extends GivenRequest | GivenPage = GivenRequest>(html: string): Map<string, T> =>
  new Map(
    [...html.matchAll(/<li data-name="([^"]*)" data-request="([^"]*)"/g)].map(([, name = '', request = '']) => [
      unescape(name),
      JSON.parse(unescape(request)),
    ]),
  );

export const readGiven = (given: GivenRequest) => {
  const message = 'redirect' in given ? readRedirect(new URL(given.redirect).search) : readPost(given.form.fields);
  return { ...message, request: parseLogoutRequest(message.xml), relayState: message.relayState ?? '' };
};

type ResponseChanges = {
  issuer?: string;
  inResponseTo?: string;
  destination?: string;
  status?: LogoutStatus;
  relayState?: string;
  key?: SigningKey;
};

/** The path with which a site answers a request by redirect. */
export const responseTo = (given: GivenRequest, site: { identity: string }, changes: ResponseChanges = {}): string => {
  const { request, relayState } = readGiven(given);
  const location = `${testOrigin}/saml/northlab/slo`;
  const xml = buildLogoutResponse(responseDraft(request.id, site, { destination: location, ...changes }));
  const url = redirectUrl({
    location,
    kind: 'SAMLResponse',
    xml,
    relayState: changes.relayState ?? relayState,
    key: changes.key,
  });
  return url.slice(testOrigin.length);
};

/** The fields with which a site answers a request by POST. */
export const responseFields = (given: GivenRequest, site: { identity: string }, changes: ResponseChanges = {}) => {
  const { request, relayState } = readGiven(given);
  const location = `${testOrigin}/saml/northlab/slo`;
  const xml = buildLogoutResponse(responseDraft(request.id, site, { destination: location, ...changes }), changes.key);
  return postForm({ location, kind: 'SAMLResponse', xml, relayState }).fields;
};

export const responseDraft = (inResponseTo: string, site: { identity: string }, changes: ResponseChanges = {}) => ({
  id: newSamlId(),
  issuer: changes.issuer ?? site.identity,
  destination: changes.destination,
  inResponseTo: changes.inResponseTo ?? inResponseTo,
  issueInstant: new Date(),
  status: changes.status ?? ('Success' as const),
});
