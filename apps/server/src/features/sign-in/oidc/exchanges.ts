import type { IncomingMessage } from 'node:http';
import { Provider } from 'oidc-provider';
import type { Destination } from '../destination/destinations.queries.ts';
import type { ResolvedSite } from '../destination/site-cache.ts';
import type { Exchange } from '../flow/sign-in-flow.ts';
import type { TestFailure } from '../site-test/explainer.ts';
import type { SiteTestRow } from '../site-test/site-tests.queries.ts';

/**
 * A request that the library handles. `resolved`: the site of an authorization request, and the session of the browser. `client`: the site
 * whose client the library has found. `test`: the test of the site that runs in the browser. `error`: the code with which
 * the library has refused the request. `failure`: why, if the application has made a mistake. `isErrorShown`: the
 * error is a page for the person, and the application gets none.
 */
export type OidcExchange = Exchange & {
  resolved: ResolvedSite | undefined;
  client?: Destination;
  test?: SiteTestRow | undefined;
  error?: string;
  isErrorShown?: boolean;
  failure?: TestFailure;
};

const exchanges = new WeakMap<IncomingMessage, OidcExchange>();

export const rememberExchange = (exchange: OidcExchange): void => {
  exchanges.set(exchange.request.raw, exchange);
};

/** The request behind a context of the library. */
export const exchangeOf = (ctx: { req: IncomingMessage }): OidcExchange => {
  const exchange = exchanges.get(ctx.req);
  if (!exchange) throw new Error('The request did not come through a route of the OpenID Connect provider.');
  return exchange;
};

/** The request that the library is working on. */
export const currentExchange = (): OidcExchange => {
  const { ctx } = Provider;
  if (!ctx) throw new Error('The library works on no request.');
  return exchangeOf(ctx);
};
