import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { buffer, text } from 'node:stream/consumers';
import {
  buildAuthnRequest,
  buildLogoutRequest,
  buildLogoutResponse,
  nameIdFormats,
  newSamlId,
  parseLogoutRequest,
  parseLogoutResponse,
  postForm,
  readPost,
  readRedirect,
  readSoap,
  redirectUrl,
  soapEnvelope,
} from '../../packages/saml/src/index.ts';
import { clientRoute } from './logout-clients.ts';
import {
  type LogoutClient,
  type LogoutSite,
  logoutClients,
  logoutNetwork,
  logoutSites,
  origin,
  otherSiteOrigin,
  sameSiteOrigin,
} from './world.ts';

type Session = { nameId: string; sessionIndex: string };
type Visit = { request: IncomingMessage; response: ServerResponse; url: URL; key: LogoutSite };

const idp = `${origin}/saml/${logoutNetwork}`;
const identityOf = (key: LogoutSite) => `${logoutSites[key].at}/${key}/metadata`;
const header = () => ({ id: newSamlId(), issueInstant: new Date() });

/** The sessions of each site by the value of its cookie, as in most applications: without the cookie, no session is found. */
const sessions = new Map<LogoutSite, Map<string, Session>>();
const sessionsOf = (key: LogoutSite): Map<string, Session> => {
  const known = sessions.get(key) ?? new Map<string, Session>();
  sessions.set(key, known);
  return known;
};
const cookieOf = ({ request, key }: Visit) =>
  new RegExp(`(?:^|; )app-${key}=([^;]+)`).exec(request.headers.cookie ?? '')?.[1] ?? '';

const endByIndex = (key: LogoutSite, indexes: string[]): void => {
  for (const [cookie, session] of sessionsOf(key))
    if (indexes.includes(session.sessionIndex)) sessionsOf(key).delete(cookie);
};

const send = (response: ServerResponse, html: string, status = 200) =>
  void response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(`<!doctype html>${html}`);
const redirect = (response: ServerResponse, location: string) => void response.writeHead(303, { location }).end();

const successOf = (key: LogoutSite, requestId: string, destination?: string) =>
  buildLogoutResponse({
    ...header(),
    issuer: identityOf(key),
    destination,
    inResponseTo: requestId,
    status: 'Success',
  });

/** Ends the session of the cookie and reports success in any case, even if the browser has withheld the cookie. */
const answerByRedirect = (visit: Visit): void => {
  const { xml, relayState } = readRedirect(visit.url.search);
  sessionsOf(visit.key).delete(cookieOf(visit));
  const answer = successOf(visit.key, parseLogoutRequest(xml).id, `${idp}/slo`);
  redirect(visit.response, redirectUrl({ location: `${idp}/slo`, kind: 'SAMLResponse', xml: answer, relayState }));
};

const answerByPost = async ({ request, response, key }: Visit): Promise<void> => {
  const { xml, relayState } = readPost(parse(await text(request)));
  const asked = parseLogoutRequest(xml);
  endByIndex(key, asked.sessionIndexes);
  const answer = successOf(key, asked.id, `${idp}/slo`);
  const { action, fields } = postForm({ location: `${idp}/slo`, kind: 'SAMLResponse', xml: answer, relayState });
  const inputs = Object.entries(fields).map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`);
  const form = `<form method="post" action="${action}">${inputs.join('')}<button>Continue</button></form>`;
  send(response, `${form}<script>document.forms[0].submit()</script>`);
};

const answerBySoap = async ({ request, response, key }: Visit): Promise<void> => {
  const asked = parseLogoutRequest(readSoap('SAMLRequest', await buffer(request)).xml);
  endByIndex(key, asked.sessionIndexes);
  response.setHeader('content-type', 'text/xml').end(soapEnvelope(successOf(key, asked.id)));
};

const requested: Record<(typeof logoutSites)[LogoutSite]['answers'], (visit: Visit) => void | Promise<void>> = {
  redirect: answerByRedirect,
  post: answerByPost,
  soap: answerBySoap,
  never: () => undefined,
  'only in a frame': (visit) =>
    visit.request.headers['sec-fetch-dest'] === 'iframe'
      ? answerByRedirect(visit)
      : send(visit.response, '<h1>Lost</h1>'),
  'an error page': ({ response }) => send(response, '<h1>Something broke</h1>', 500),
  'leaving the frame': ({ response, key }) =>
    send(response, `<h1>No frames</h1><script>try { top.location = '/${key}/busted' } catch {}</script>`),
};

const routes: Record<string, (visit: Visit) => void | Promise<void>> = {
  'GET ': (visit) => {
    const session = sessionsOf(visit.key).get(cookieOf(visit));
    const status = visit.url.searchParams.get('status');
    send(
      visit.response,
      session
        ? `<h1>Signed in as ${session.nameId}</h1><a href="/${visit.key}/logout">Sign out</a>`
        : `<h1>Signed out</h1><p>${status ?? ''}</p>`,
    );
  },
  'GET login': ({ response, key }) => {
    const acsUrl = `${logoutSites[key].at}/${key}/acs`;
    const xml = buildAuthnRequest({ ...header(), issuer: identityOf(key), destination: `${idp}/sso`, acsUrl });
    redirect(response, redirectUrl({ location: `${idp}/sso`, kind: 'SAMLRequest', xml }));
  },
  'POST acs': async ({ request, response, key }) => {
    const { SAMLResponse = '' } = parse(await text(request)) as Record<string, string>;
    const xml = Buffer.from(SAMLResponse, 'base64').toString();
    const [, nameId = ''] = /<saml:NameID[^>]*>([^<]*)</.exec(xml) ?? [];
    const [, sessionIndex = ''] = /SessionIndex="([^"]*)"/.exec(xml) ?? [];
    const cookie = crypto.randomUUID();
    sessionsOf(key).set(cookie, { nameId, sessionIndex });
    response.setHeader('set-cookie', `app-${key}=${cookie}; Path=/; HttpOnly; SameSite=Lax`);
    redirect(response, `/${key}/`);
  },
  'GET logout': (visit) => {
    const { response, key } = visit;
    const session = sessionsOf(key).get(cookieOf(visit));
    if (!session) return redirect(response, `/${key}/`);
    sessionsOf(key).delete(cookieOf(visit));
    const xml = buildLogoutRequest({
      ...header(),
      issuer: identityOf(key),
      destination: `${idp}/slo`,
      nameId: { value: session.nameId, format: nameIdFormats.emailAddress },
      sessionIndex: session.sessionIndex,
    });
    return redirect(response, redirectUrl({ location: `${idp}/slo`, kind: 'SAMLRequest', xml }));
  },
  'GET sls': (visit) => {
    if (!visit.url.searchParams.has('SAMLResponse')) return requested[logoutSites[visit.key].answers](visit);
    const { partial } = parseLogoutResponse(readRedirect(visit.url.search).xml);
    return redirect(visit.response, `/${visit.key}/?status=${partial ? 'partly' : 'everywhere'}`);
  },
  'POST sls': (visit) => requested[logoutSites[visit.key].answers](visit),
};

/** Small applications that answer logout requests in different ways: on another site than the server, and on the same one. */
export const startLogoutSites = async (): Promise<Server[]> =>
  Promise.all(
    [otherSiteOrigin, sameSiteOrigin].map(async (at) => {
      const server = createServer((request, response) => {
        const url = new URL(request.url ?? '/', at);
        const [, key = '', page = ''] = url.pathname.split('/');
        const route = key in logoutSites ? routes[`${request.method} ${page}`] : undefined;
        const asClient = key in logoutClients ? clientRoute(request.method ?? '', page) : undefined;
        if (route) void route({ request, response, url, key: key as LogoutSite });
        else if (asClient) void asClient({ request, response, url, key: key as LogoutClient });
        else send(response, '<h1>Not found</h1>', 404);
      });
      const { hostname, port } = new URL(at);
      await new Promise<void>((ready) => void server.listen(Number(port), hostname, ready));
      return server;
    }),
  );
