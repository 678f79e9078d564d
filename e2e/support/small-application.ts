import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ClientConfiguration = {
  issuer: string;
  clientId: string;
  secret: string;
  /** Parameters of the authorization request that differ from the right ones. */
  parameters?: Record<string, string>;
};

/**
 * An application with its own server that signs people in by OpenID Connect. It has the addresses of oauth2-proxy, and begins a sign-in
 * when it is opened. It is configured later, as an administrator does it. Without a port, any free one is used.
 */
export const startSmallApplication = async (port = 0) => {
  const verifier = randomBytes(32).toString('base64url');
  let configuration: ClientConfiguration | undefined;

  const show = (response: ServerResponse, text: string) =>
    void response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(`<!doctype html><html lang="en"><title>Application</title><h1>${text}</h1></html>`);

  const begin = (response: ServerResponse, { issuer, clientId, parameters: changes }: ClientConfiguration): void => {
    const parameters = new URLSearchParams({
      client_id: clientId,
      response_type: 'code',
      scope: 'openid email',
      redirect_uri: `${address}/oauth2/callback`,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...changes,
    });
    response.writeHead(303, { location: `${issuer}/auth?${parameters}` }).end();
  };

  const finish = async (response: ServerResponse, { issuer, clientId, secret }: ClientConfiguration, code: string) => {
    const answer = await fetch(`${issuer}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: `${address}/oauth2/callback`,
        code_verifier: verifier,
      }),
    });
    const { id_token: idToken } = (await answer.json()) as { id_token?: string };
    if (idToken === undefined) return show(response, `Refused with ${answer.status}`);
    const claims = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString()) as { email: string };
    return show(response, `Signed in as ${claims.email}`);
  };

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', address);
    if (!configuration) return show(response, 'Not configured');
    const error = url.searchParams.get('error');
    if (error !== null) return show(response, `Refused with ${error.replace(/[^a-z_]/g, '')}`);
    if (url.pathname === '/oauth2/callback')
      return void finish(response, configuration, url.searchParams.get('code') ?? '');
    return begin(response, configuration);
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    configure: (given: ClientConfiguration) => void (configuration = given),
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
