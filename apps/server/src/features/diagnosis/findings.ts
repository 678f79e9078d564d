import type { Finding, FindingCode } from '@opensocial/contract';
import type { Changes, Explain, Explained, SiteRecord } from './finding.ts';
import { toDay } from './finding.ts';
import { oidcFindings } from './findings.oidc.ts';
import { peopleFindings } from './findings.people.ts';
import { certificatesOf, samlFindings } from './findings.saml.ts';

const findings: Record<FindingCode, Explain> = { ...samlFindings, ...oidcFindings, ...peopleFindings };

/** A finding, and the columns that its fix would change. */
export type Diagnosed = { finding: Finding; changes: Changes | undefined };

/**
 * Explains an exchange with the current parameters of its site, so that a cause that was removed since then is recognised. A fix is only
 * offered while the cause exists.
 */
export const diagnose = (code: FindingCode, exchange: Explained): Diagnosed => {
  const { isCurrent, fix, ...explained } = findings[code](exchange);
  const offered = isCurrent ? fix : undefined;
  return {
    finding: {
      code,
      advice: '',
      place: 'none',
      ...explained,
      is_current: isCurrent,
      fix: offered ? { label: offered.label, before: offered.before, after: offered.after } : null,
    },
    changes: offered?.changes,
  };
};

/** Problems of a site that are known without an exchange. */
export const warnAbout = (site: SiteRecord): Finding[] => {
  const expired = certificatesOf(site).filter(({ notAfter }) => notAfter.getTime() < Date.now());
  return expired.map(({ fingerprint, notAfter }) => ({
    code: 'certificate_expired',
    sentence: `A registered certificate of the application expired on ${toDay(notAfter)}.`,
    advice:
      'Signatures with it are still accepted, because the certificate is registered. Ask the administrator of the application for the new one before they change it.',
    compared: [{ label: 'Certificate', received: '', registered: `${fingerprint}, valid until ${toDay(notAfter)}` }],
    is_current: true,
    fix: null,
    place: site.metadata_url ? 'metadata' : 'parameters',
  }));
};
