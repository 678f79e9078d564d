import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { browserClientId, browserClientOrigins, logoutNetwork, origin } from './world.ts';

type Visit = { request: IncomingMessage; response: ServerResponse; url: URL };

const library = new URL('dist/browser/oidc-client-ts.min.js', import.meta.resolve('oidc-client-ts/package.json'));

/** The page of the application. A sign-in that comes back, in the window, a popup or a frame, is finished by the library. */
const page = `<!doctype html>
<html lang="en">
<title>Application</title>
<h1></h1>
<script src="/oidc-client-ts.js"></script>
<script>
  const manager = new oidc.UserManager({
    authority: ${JSON.stringify(`${origin}/oidc/${logoutNetwork}`)},
    client_id: ${JSON.stringify(browserClientId)},
    redirect_uri: location.origin + '/callback',
    post_logout_redirect_uri: location.origin + '/bye',
    scope: 'openid email profile offline_access',
    loadUserInfo: true,
    automaticSilentRenew: false,
    filterProtocolClaims: false,
  });
  window.manager = manager;
  const show = (said) => { document.querySelector('h1').textContent = said };
  const showPerson = async () => {
    const person = await manager.getUser();
    show(person ? 'Signed in as ' + person.profile.email : 'Signed out');
  };
  const finish = { '/callback': () => manager.signinCallback(), '/bye': () => manager.signoutCallback() };
  Promise.resolve(finish[location.pathname]?.()).then(showPerson, (error) => show('Refused: ' + (error.error ?? error.message)));
</script>
</html>`;

/**
 * An answer with `response_mode=form_post`. The application redirects to another origin after it, as many do, so that a policy of the page
 * with the form which allowed only the address of the form would stop it.
 */
const receivePost = async ({ request, response, url }: Visit): Promise<void> => {
  const posted = new URLSearchParams(await text(request));
  const { otherSite, sameSite } = browserClientOrigins;
  const location = `${url.origin === otherSite ? sameSite : otherSite}/posted?${posted}`;
  response.writeHead(303, { location }).end();
};

const showPosted = ({ response, url }: Visit): void => {
  const names = [...url.searchParams.keys()].toSorted().join(', ');
  send(response, `<!doctype html><html lang="en"><title>Posted</title><h1>Posted: ${names}</h1></html>`);
};

const send = (response: ServerResponse, html: string) =>
  void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);

/** An application without a server of its own, which uses oidc-client-ts. */
export const startBrowserClient = async (): Promise<Server[]> => {
  const script = await readFile(fileURLToPath(library));
  const answer = (visit: Visit): void | Promise<void> => {
    const { request, response, url } = visit;
    if (url.pathname === '/oidc-client-ts.js')
      return void response.setHeader('content-type', 'text/javascript').end(script);
    if (url.pathname === '/posted') return request.method === 'POST' ? receivePost(visit) : showPosted(visit);
    return send(response, page);
  };
  return Promise.all(
    Object.values(browserClientOrigins).map(async (at) => {
      const server = createServer(
        (request, response) => void answer({ request, response, url: new URL(request.url ?? '/', at) }),
      );
      const { hostname, port } = new URL(at);
      await new Promise<void>((ready) => void server.listen(Number(port), hostname, ready));
      return server;
    }),
  );
};
