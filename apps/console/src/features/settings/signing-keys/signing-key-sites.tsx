import { Button, NativeSelect, Skeleton } from '@mantine/core';
import { type SigningKey, type SigningKeySite, siteLabel } from '@opensocial/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { NetworkRef } from '../../../api/transport/network-ref.ts';
import { totalOf } from '../../../api/transport/paged-query.ts';
import { ErrorPanel } from '../../../patterns/error-panel/error-panel.tsx';
import { fullTime } from '../../../patterns/format/format.ts';
import { formatTotal } from '../../../patterns/format/format-total.ts';
import { useSearchText } from '../../../patterns/record-list/model/use-search-text.ts';
import { SearchField } from '../../../patterns/search-field/search-field.tsx';
import { SiteName } from '../../../patterns/site-name/site-name.tsx';
import { StateDot } from '../../../patterns/state-mark/state-mark.tsx';
import { describeEnd } from '../../../patterns/time/days-left.ts';
import { shortFingerprint, stateNames } from './signing-key-texts.ts';
import { type KeyChange, signingKeySitesQuery } from './signing-keys.api.ts';
import classes from './signing-keys.module.css';

type SigningKeySitesProps = {
  network: NetworkRef;
  keys: readonly SigningKey[];
  onChange: (change: KeyChange) => void;
};

/** The sites with their keys, their last sign-ins and their own certificates. */
export function SigningKeySites({ network, keys, onChange }: SigningKeySitesProps) {
  const [search, setSearch] = useState('');
  const [typed, setTyped] = useSearchText(search, setSearch);
  const query = useInfiniteQuery(signingKeySitesQuery(network, search));
  if (query.isLoadingError) return <ErrorPanel onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  if (!query.data) return <Skeleton height={120} radius="md" role="status" aria-label="Loading the sites" />;
  const rows = query.data.pages.flatMap((page) => page.rows);
  const all = totalOf(query.data.pages);
  if (all.total === 0 && search === '') return <p className={classes.step}>This network has no sites yet.</p>;
  return (
    <>
      {/* Enter must not submit the settings, in whose form this section is. */}
      <SearchField
        label="Search"
        subject="sites and certificates"
        value={typed}
        onChange={setTyped}
        onEnter={() => {}}
      />
      {rows.length === 0 ? (
        <p className={classes.step} role="status">
          No site matches this search.
        </p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be reachable with the keyboard
        <section className={classes.scroller} aria-label="Sites" tabIndex={0}>
          <ul className={classes.sites} aria-label="Sites and their keys">
            {rows.map((site) => (
              <SiteLine key={site.id} site={site} keys={keys} onChange={onChange} />
            ))}
          </ul>
        </section>
      )}
      {query.hasNextPage && (
        <div>
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show more of {formatTotal(all)} sites
          </Button>
        </div>
      )}
    </>
  );
}

type SiteLineProps = { site: SigningKeySite; keys: readonly SigningKey[]; onChange: (change: KeyChange) => void };

function SiteLine({ site, keys, onChange }: SiteLineProps) {
  const handleChoice = (id: number) => {
    const key = keys.find((candidate) => candidate.id === id);
    if (key && key.id !== site.key_id) onChange({ kind: 'site', key, site });
  };
  return (
    <li className={classes.site}>
      <div className={classes.words}>
        <SiteName site={site} />
        <span className={classes.detail}>{describeSignIns(site, keys)}</span>
        {site.verifies_ecdsa && <span className={classes.detail}>Its metadata says that it verifies ECDSA.</span>}
        <SiteCertificates site={site} />
      </div>
      {keys.length > 1 && (
        <NativeSelect
          className={classes.choice ?? ''}
          aria-label={`Key of ${siteLabel(site)}`}
          data={keys.map((key) => ({
            value: String(key.id),
            label: `${stateNames[key.state]} ${shortFingerprint(key)}`,
          }))}
          value={String(site.key_id)}
          onChange={(event) => handleChoice(Number(event.currentTarget.value))}
        />
      )}
    </li>
  );
}

const describeSignIns = ({ key_id, sign_ins }: SigningKeySite, keys: readonly SigningKey[]): string => {
  const own = sign_ins.find((signIn) => signIn.key_id === key_id);
  const other = sign_ins.find((signIn) => signIn.key_id !== key_id);
  const state = keys.find(({ id }) => id === other?.key_id)?.state;
  const others = other && state ? ` Last with the ${stateNames[state].toLowerCase()}: ${fullTime(other.at)}.` : '';
  return `${own ? `Last sign-in with this key: ${fullTime(own.at)}.` : 'No sign-in with this key yet.'}${others}`;
};

function SiteCertificates({ site: { certificates } }: Pick<SiteLineProps, 'site'>) {
  if (certificates.length === 0) return <span className={classes.detail}>The site has no certificate of its own.</span>;
  return certificates.map((certificate) => {
    const { tone, text } = describeEnd(certificate.not_after);
    return (
      <span key={`${certificate.use} ${certificate.fingerprint}`} className={classes.detail}>
        <StateDot tone={tone}>
          Site’s certificate{certificate.use === 'encryption' && ' for encryption'} {shortFingerprint(certificate)}:{' '}
          <span data-tone={tone}>{text}</span>
        </StateDot>
      </span>
    );
  });
}
