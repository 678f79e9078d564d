import {
  createOidcSecret,
  createOidcSite,
  getOidcClient,
  getOidcEndpoints,
  removeOidcSecret,
  updateOidcClient,
} from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { newUid } from '../../secrets/tokens.ts';
import { auditSite, changeParameters } from './sites.changes.service.ts';
import {
  addFurtherSecret,
  addSecret,
  assertOidcTargets,
  oidcEndpoints,
  readClient,
  removeSecret,
  replaceParameters,
  toOidcParameters,
} from './sites.oidc.service.ts';
import { getSite, insertSite } from './sites.queries.ts';
import { toNewTile } from './sites.service.ts';

/** Sites that use OpenID Connect: their parameters and their secrets. */
export const siteOidcRoutes = (bind: Bind, parts: Parts): void => {
  const { db, config } = parts;

  bind(getOidcEndpoints, async ({ network }) => oidcEndpoints(config, network.name));

  bind(getOidcClient, ({ params, network }) => readClient(db, config, params.site_id, network.name));

  bind(createOidcSite, async ({ body, ...caller }) => {
    const { id: network_id, name } = caller.network;
    const oidc = toOidcParameters(body);
    await assertOidcTargets(config, oidc);
    // The client id is random, so that nobody can register the id that another client will have.
    const draft = { protocol: 'oidc' as const, identity: newUid(), acs: '', domain: body.domain, network_id, oidc };
    return db.transaction(async (tx) => {
      const site = await insertSite(tx, { ...draft, ...toNewTile(body) });
      const { secret } = oidc.authentication === 'secret' ? await addSecret(tx, site.id) : { secret: '' };
      await auditSite(tx, caller, 'create', undefined, site);
      return { ...(await readClient(tx, config, site.id, name)), secret };
    });
  });

  bind(updateOidcClient, async ({ body, ...caller }) => {
    const wanted = toOidcParameters(body);
    await assertOidcTargets(config, wanted, (await getSite(db, body.id)).oidc ?? {});
    await changeParameters(
      parts,
      caller,
      body.id,
      (site, tx) => replaceParameters(tx, caller, site, wanted),
      body.based_on,
    );
    return readClient(db, config, body.id, caller.network.name);
  });

  bind(createOidcSecret, ({ params: { site_id }, ...caller }) =>
    db.transaction(async (tx) => {
      const secret = await addFurtherSecret(tx, caller, site_id);
      return { ...(await readClient(tx, config, site_id, caller.network.name)), secret };
    }),
  );

  bind(removeOidcSecret, async ({ params: { site_id, secret_id }, ...caller }) => {
    await db.transaction((tx) => removeSecret(tx, caller, site_id, secret_id));
    return { message: 'The secret was removed.' };
  });
};
