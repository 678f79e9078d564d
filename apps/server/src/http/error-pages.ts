import type { FastifyRequest } from 'fastify';
import { mainNetworkName } from '../identity/membership.ts';
import type { ErrorPageDraft, ExchangeRecorder } from '../identity/site-exchanges.ts';
import { addressOf, countedAddress } from './address.ts';

type Subject = Pick<ErrorPageDraft, 'network' | 'siteId' | 'userId' | 'lineId'>;

const subjects = new WeakMap<FastifyRequest, Subject>();

/**
 * Remembers what a request turned out to be about, so that an error page can be found by its reference number. `network` is the network of
 * the site: its owners are the ones who are asked for help.
 */
export const noteSubject = (request: FastifyRequest, subject: Subject): void => {
  subjects.set(request, { ...subjects.get(request), ...subject });
};

/** Requests to the endpoints of a network belong to it even if their site is unknown. The console is a site of the main network. */
const subjectOf = (request: FastifyRequest): Subject | undefined => {
  const noted = subjects.get(request);
  if (noted) return noted;
  const route = request.routeOptions.url ?? '';
  if (route.startsWith('/server/saml/')) return { network: mainNetworkName };
  const { network } = (request.params ?? {}) as { network?: unknown };
  return /^\/(?:saml|oidc)\/:network\//.test(route) && typeof network === 'string' ? { network } : undefined;
};

type ShownPage = { reference: string; title: string; message: string };

export type RecordErrorPage = (request: FastifyRequest, page: ShownPage) => void;

export const errorPageRecorder =
  (exchanges: Pick<ExchangeRecorder, 'recordErrorPage'>): RecordErrorPage =>
  (request, page) => {
    const subject = subjectOf(request);
    if (subject) exchanges.recordErrorPage({ ...subject, ...page, sender: countedAddress(addressOf(request)) });
  };
