import {
  ApiError,
  dismissUnknownApplication,
  findErrorReference,
  fixSite,
  getSiteDiagnosis,
  listUnknownApplications,
  watchSite,
} from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { deleteArrival, findArrivals, findErrorPage, watch } from './diagnosis.queries.ts';
import { applyFix, readDiagnosis } from './diagnosis.service.ts';

/** Why sign-ins fail at a site, and which applications are not registered. */
export const diagnosisRoutes = (bind: Bind, parts: Parts): void => {
  const { db } = parts;

  bind(getSiteDiagnosis, ({ params }) => readDiagnosis(db, params.site_id));

  bind(fixSite, async ({ params: { site_id, exchange_id }, body, ...caller }) => {
    await applyFix(parts, caller, { siteId: site_id, exchangeId: exchange_id, version: body.based_on });
    return readDiagnosis(db, site_id);
  });

  bind(watchSite, async ({ params: { site_id } }) => {
    await watch(db, site_id);
    return readDiagnosis(db, site_id);
  });

  bind(findErrorReference, async ({ params: { reference }, network }) => ({
    page: (await findErrorPage(db, network.id, reference)) ?? null,
  }));

  bind(listUnknownApplications, async ({ network }) => {
    const arrivals = await findArrivals(db, network.id);
    return {
      applications: arrivals.map(({ network_id: _network, first_at, last_at, ...arrival }) => ({
        ...arrival,
        first_at: first_at.toISOString(),
        last_at: last_at.toISOString(),
      })),
    };
  });

  bind(dismissUnknownApplication, async ({ params: { id }, network }) => {
    if (!(await deleteArrival(db, network.id, id))) throw new ApiError('not_found');
    return { message: 'The application was removed from the list.' };
  });
};
