import { explainAccess, viewDesktop } from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { viewDesktopOf } from './access-checks.desktop.service.ts';
import { explainAccess as explain } from './access-checks.service.ts';

/** Why a person may or may not enter a site, and the desktop as a person sees it. */
export const accessCheckRoutes = (bind: Bind, parts: Parts): void => {
  bind(explainAccess, ({ params, network }) =>
    explain(parts, network, { siteId: params.site_id, userId: params.user_id }),
  );

  bind(viewDesktop, ({ params, ...caller }) => viewDesktopOf(parts, caller, params.user_id));
};
