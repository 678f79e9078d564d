import { once } from 'node:events';
import { checkFinding, checkSolved, type Diagnosed } from './diagnosis.findings.ts';
import { type Apache, registerClient, startApache } from './openidc.ts';
import type { World } from './report.ts';

const base = 'http://127.0.0.1:4822';

/** Runs mod_auth_openidc while the work is done. */
const withApache = async (
  folder: string,
  settings: Pick<Apache, 'client' | 'redirectUri'>,
  work: () => Promise<unknown>,
): Promise<void> => {
  const apache = await startApache({
    folder,
    name: 'diagnosis',
    base,
    scope: 'openid email profile',
    paths: { private: '' },
    ...settings,
  });
  try {
    await work();
  } finally {
    const ended = once(apache, 'exit');
    apache.kill('SIGTERM');
    await ended;
  }
};

/** Mistakes in the settings of mod_auth_openidc. */
export const checkClientDiagnosis = async ({ folder, idp }: World): Promise<void> => {
  const redirectUri = `${base}/callback`;
  const client = await registerClient(idp, { domain: 'diagnosis.example.org', redirect_uris: [redirectUri] });
  const target: Diagnosed = { idp, name: 'mod_auth_openidc', page: `${base}/private/`, siteId: client.id };
  const right = { client, redirectUri };
  await withApache(folder, { ...right, redirectUri: `${base}/other-callback` }, () =>
    checkFinding(target, 'wrong redirect URI', 'redirect_uri_unregistered'),
  );
  await withApache(folder, { ...right, client: { ...client, client_id: 'apache' } }, () =>
    checkFinding(target, 'wrong client id', 'client_unknown'),
  );
  const secret = 'another-secret-of-the-same-application';
  await withApache(folder, { ...right, client: { ...client, secret } }, () =>
    checkFinding(target, 'wrong client secret', 'secret_wrong'),
  );
  await withApache(folder, right, () => checkSolved(target, 'wrong client secret', 'secret_wrong'));
};
