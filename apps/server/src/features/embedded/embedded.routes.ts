import { getEmbeddedPages } from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';

export const embeddedRoutes = (bind: Bind, { config }: Parts): void => {
  bind(getEmbeddedPages, async () => ({ report_url: config.reportUrl ?? '', designer_url: config.designerUrl ?? '' }));
};
