import { getSiteMfa } from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import { canSendMail } from '../../mail/mailer.ts';
import type { Parts } from '../../parts.ts';
import { readSettings } from '../settings/settings.service.ts';
import { countFactors } from './sites.mfa.queries.ts';

/** Whether a second factor is required at a site, and whom that concerns. */
export const siteMfaRoutes = (bind: Bind, { config, db }: Parts): void => {
  bind(getSiteMfa, async ({ params, network }) => {
    const { mfa } = await readSettings(db, network.id);
    return {
      network_requires: mfa === 'Enable',
      ...(await countFactors(db, params.site_id)),
      locks_out: !canSendMail(config),
    };
  });
};
