import { type CertificateState, getSiteOverview } from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { toPem } from '../../secrets/signing-keys.ts';
import { readSignOnEvidence } from '../diagnosis/diagnosis.service.ts';
import { describeCertificates } from '../signing-keys/signing-keys.service.ts';
import { countGroups, findLastSignIns, findSigningCertificate } from './sites.overview.queries.ts';
import { resolveSignOn } from './sites.overview.sign-on.ts';
import { getSite } from './sites.queries.ts';

const toStates = (use: CertificateState['use'], certificates: string | null): CertificateState[] =>
  describeCertificates(certificates).map(({ fingerprint, notAfter }) => ({
    use,
    fingerprint,
    not_after: notAfter.toISOString(),
  }));

/** The state of single sign-on at a site. */
export const siteOverviewRoutes = (bind: Bind, { db }: Parts): void => {
  bind(getSiteOverview, async ({ params }) => {
    const site = await getSite(db, params.site_id);
    const lastSignIns = await findLastSignIns(db, site.id);
    const lastWith = (status: 'Success' | 'Failed') => lastSignIns.find((signIn) => signIn.status === status);
    const certificate = site.protocol === 'saml' ? await findSigningCertificate(db, site) : '';
    return {
      id: site.id,
      protocol: site.protocol,
      on_desktop: site.desktop_position !== null,
      groups: await countGroups(db, site.id),
      ...resolveSignOn({
        protocol: site.protocol,
        success: lastWith('Success'),
        failure: lastWith('Failed'),
        ...(await readSignOnEvidence(db, site)),
      }),
      certificates: [
        ...toStates('identity_provider', certificate),
        ...toStates('signing', site.certificate),
        ...toStates('encryption', site.encryption_certificate),
      ],
      certificate: certificate && toPem(certificate),
    };
  });
};
