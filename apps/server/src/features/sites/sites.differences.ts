import { createHash } from 'node:crypto';
import { type SiteDifference, Subscriber, type SubscriberDraft } from '@opensocial/contract';
import type { SpDescription } from '@opensocial/saml';
import { z } from 'zod';
import { toUtcDay } from '../../mail/utc-dates.ts';
import { describeCertificate } from '../../secrets/signing-keys.ts';
import { toMetadataParameters } from './sites.metadata.service.ts';
import type { SiteRecord } from './sites.queries.ts';
import { toSubscriber } from './sites.service.ts';

/**
 * The parameters in the metadata of a site that are compared with the stored ones, checked by the same rules as the form. They are stored
 * with the state of the refresh.
 */
export const FoundParameters = Subscriber.pick({
  acs: true,
  acs_index: true,
  further_acs: true,
  sls: true,
  sls_binding: true,
  sls_response: true,
  sls_soap: true,
  certificate: true,
  signed_requests: true,
}).extend({
  /** A site may publish its next certificate beside the current one. */
  encryption_certificates: z.array(Subscriber.shape.encryption_certificate),
  wants_assertions_signed: z.boolean(),
  verifies_ecdsa: z.boolean().default(false),
});
export type FoundParameters = z.infer<typeof FoundParameters>;

/** Everything that this version stores. What an earlier version has stored may have less and can be compared, but is read again. */
export const CompleteParameters = FoundParameters.extend({ verifies_ecdsa: z.boolean() });

/** Throws a ZodError for values that a site must not have. */
export const toFound = (description: SpDescription): FoundParameters =>
  FoundParameters.parse({
    ...toMetadataParameters(description),
    encryption_certificates: description.encryptionCertificates,
    wants_assertions_signed: description.wantsAssertionsSigned,
    verifies_ecdsa: description.verifiesEcdsa,
  });

type Draft = z.output<typeof SubscriberDraft>;

/** A difference, and how it changes the parameters of the site. */
export type Difference = SiteDifference & { changes: (current: Draft) => Partial<Draft> };

/**
 * How the metadata of a site differs from its parameters. A site that is protected better than its metadata asks for is no difference:
 * metadata is not signed, so it must not be a reason to protect less.
 */
export const compareWithMetadata = (site: SiteRecord, found: FoundParameters): Difference[] => {
  const current = toSubscriber({ site, version: 0 }, '');
  return [
    ...compareEndpoints(current, found),
    ...compareCertificates(current, found),
    ...compareProtection(current, found),
  ];
};

/** Identifies exactly these differences; empty if there are none. */
export const digestOf = (differences: readonly Difference[]): string =>
  differences.length === 0
    ? ''
    : createHash('sha256')
        .update(JSON.stringify(differences.map(({ id, before, after }) => [id, before, after])))
        .digest('base64url');

/** The parameters of a site with the values of the given differences. */
export const withDifferences = (site: SiteRecord, network: string, differences: readonly Difference[]): Draft =>
  differences.reduce<Draft>(
    (current, { changes }) => ({ ...current, ...changes(current) }),
    toSubscriber({ site, version: 0 }, network),
  );

const compareEndpoints = (current: Subscriber, found: FoundParameters): Difference[] => {
  const differences: Difference[] = [];
  const { acs, acs_index, further_acs } = found;
  if (acs !== current.acs || (acs_index !== null && acs_index !== current.acs_index))
    differences.push({
      id: 'acs',
      field: 'acs',
      title: 'SSO ACS URL',
      before: acsText(current.acs, acs_index === null ? null : current.acs_index),
      after: acsText(acs, acs_index),
      changes: () => ({ acs, ...(acs_index !== null && { acs_index }) }),
    });
  const [before, after] = [acsList(current.further_acs), acsList(further_acs)];
  if (before !== after)
    differences.push({
      id: 'further_acs',
      field: 'further_acs',
      title: 'Further ACS URLs',
      before,
      after,
      changes: () => ({ further_acs }),
    });
  const [logoutBefore, logoutAfter] = [logoutText(current, found), logoutText(found, found)];
  if (logoutBefore !== logoutAfter) {
    const { sls, sls_binding, sls_response, sls_soap } = found;
    differences.push({
      id: 'sls',
      field: 'sls',
      title: 'SSO SLS URL',
      before: logoutBefore,
      after: logoutAfter,
      changes: () => ({ sls, sls_binding, sls_response, sls_soap }),
    });
  }
  return differences;
};

type Logout = Pick<FoundParameters, 'sls' | 'sls_binding' | 'sls_response' | 'sls_soap'>;

const bindingNames = { auto: '', redirect: ' (redirect)', post: ' (POST)', soap: ' (SOAP)' };

/** All addresses for logout messages in one line. A site whose binding was never stored is not reported for that alone. */
const logoutText = ({ sls, sls_binding, sls_response, sls_soap }: Logout, found: Logout): string => {
  if (sls === '') return '';
  const binding = sls_binding === 'auto' && found.sls_binding !== 'soap' ? found.sls_binding : sls_binding;
  const responses = sls_response && `, responses to ${sls_response}`;
  return `${sls}${bindingNames[binding]}${responses}${sls_soap && `, back channel ${sls_soap}`}`;
};

const acsText = (url: string, index: number | null): string => (index === null ? url : `${url} (index ${index})`);

const acsList = (endpoints: Subscriber['further_acs']): string =>
  endpoints
    .toSorted((one, other) => one.index - other.index)
    .map(({ index, url }) => `${index} ${url}`)
    .join(', ');

const linesOf = (certificates: string): string[] => certificates.split('\n').filter(Boolean);

/** Each certificate is a difference of its own: during a change at the site, the former one stays valid for a while. */
const compareCertificates = (current: Subscriber, found: FoundParameters): Difference[] => {
  const [stored, published] = [linesOf(current.certificate), linesOf(found.certificate)];
  const added = published.filter((certificate) => !stored.includes(certificate));
  // Without any certificate, unsigned logouts would be accepted.
  const removed = published.length === 0 ? [] : stored.filter((certificate) => !published.includes(certificate));
  return [
    ...added.map((certificate) => ({
      id: `certificate_added:${hashOf(certificate)}`,
      field: 'certificate_added' as const,
      title: 'Signing certificate that the metadata adds',
      before: '',
      after: certificateText(certificate),
      changes: (draft: Draft) => ({ certificate: [...linesOf(draft.certificate), certificate].join('\n') }),
    })),
    ...removed.map((certificate) => ({
      id: `certificate_removed:${hashOf(certificate)}`,
      field: 'certificate_removed' as const,
      title: 'Signing certificate that the metadata no longer has',
      before: certificateText(certificate),
      after: '',
      changes: (draft: Draft) => ({
        certificate: linesOf(draft.certificate)
          .filter((line) => line !== certificate)
          .join('\n'),
      }),
    })),
  ];
};

const hashOf = (certificate: string): string => createHash('sha256').update(certificate).digest('base64url');

const certificateText = (certificate: string): string => {
  try {
    const { fingerprint, notAfter } = describeCertificate(certificate);
    return `SHA-256 ${fingerprint}, valid until ${toUtcDay(notAfter)}`;
  } catch {
    return 'a certificate that cannot be read';
  }
};

const compareProtection = (current: Subscriber, found: FoundParameters): Difference[] => {
  const differences: Difference[] = [];
  if (found.signed_requests === 'Yes' && current.signed_requests === 'No')
    differences.push({
      id: 'signed_requests',
      field: 'signed_requests',
      title: 'Requests to sign in must be signed too',
      before: 'No',
      after: 'Yes',
      changes: () => ({ signed_requests: 'Yes' }),
    });
  if (found.wants_assertions_signed && current.signs === 'response')
    differences.push({
      id: 'signs',
      field: 'signs',
      title: 'Signature',
      before: 'Response',
      after: 'Both',
      changes: () => ({ signs: 'both' }),
    });
  const [encryption_certificate = ''] = found.encryption_certificates;
  // A site that does not encrypt needs no certificate for it.
  if (current.encryption_certificate && !found.encryption_certificates.includes(current.encryption_certificate))
    differences.push({
      id: 'encryption_certificate',
      field: 'encryption_certificate',
      title: 'Certificate for encryption',
      before: certificateText(current.encryption_certificate),
      after: encryption_certificate && certificateText(encryption_certificate),
      changes: () => ({ encryption_certificate }),
    });
  return differences;
};
