import { Button, FileButton, Select, Textarea, TextInput } from '@mantine/core';
import { type MetadataEntity, MetadataSource, type SubscriberMetadata } from '@opensocial/contract';
import { IconFileUpload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { errorText } from '../../api/transport/error-text.ts';
import { BusyButton } from '../../patterns/busy-button/busy-button.tsx';
import { Fold } from '../../patterns/fold/fold.tsx';
import classes from '../../patterns/form/form.module.css';
import { FormError } from '../../patterns/form/form-error.tsx';
import { FormWarning } from '../../patterns/form/form-warning.tsx';
import { schemaFaults } from '../../patterns/form/schema-faults.ts';
import { formatNumber } from '../../patterns/format/format.ts';
import type { NewParameters } from './new-parameters.ts';
import { importMetadata, type MetadataFile } from './sites.api.ts';

const faultsOf = schemaFaults(MetadataSource);

type MetadataImportProps = {
  /** Called with what was read, and with the address that it was read from, if any. */
  onRead: (metadata: SubscriberMetadata, address: string) => void;
  /** Called with whether the field has input. */
  onTyped: (isTyped: boolean) => void;
  /** Called to enter the details without the metadata, with its address, which could not be read. Without it, their fields follow below. */
  onByHand?: (address: string) => void;
};

/** The parameters of a new site, as its metadata gives them. */
export const parametersFrom = (
  { warnings: _warnings, wants_assertions_signed: _wantsSigned, release, ...read }: SubscriberMetadata,
  metadata_url: string,
): NewParameters => ({ ...read, metadata_url, update_url: '', ...(release && { release }) });

/** Fills the form from the SAML metadata of the site. */
export function MetadataImport(props: Omit<MetadataImportProps, 'onByHand'>) {
  return (
    <Fold title="Fill in from metadata">
      <MetadataFields {...props} />
    </Fold>
  );
}

/** Reads the SAML metadata of a site: by its address, a file, or pasted text. */
export function MetadataFields({ onRead, onTyped, onByHand }: MetadataImportProps) {
  const network = useAdminNetwork();
  const reading = useMutation(importMetadata(network));
  const [url, setUrl] = useState('');
  const [xml, setXml] = useState('');
  const isTyped = `${url}${xml}`.trim() !== '';
  useEffect(() => onTyped(isTyped), [isTyped, onTyped]);
  const [fault, setFault] = useState<string>();
  const [listed, setListed] = useState<ListedMetadata>();
  const send = (source: MetadataSource | MetadataFile) =>
    reading.mutate(source, {
      onSuccess: (answer) => {
        if ('entities' in answer) setListed({ source, entities: answer.entities });
        else onRead(answer, addressOf(source));
      },
    });
  const read = (source: MetadataSource | MetadataFile) => {
    reading.reset();
    setListed(undefined);
    const [first] = 'file' in source ? [] : Object.values(faultsOf(source));
    setFault(first);
    if (first === undefined) send(source);
  };
  const problem = fault ?? (reading.error ? errorText(reading.error) : undefined);
  return (
    <>
      <TextInput
        label="Metadata URL"
        type="url"
        placeholder="https://reports.example.org/metadata"
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <Textarea
        label="Or the metadata itself (XML)"
        autosize
        minRows={3}
        maxRows={8}
        spellCheck={false}
        value={xml}
        onChange={(event) => setXml(event.currentTarget.value)}
      />
      {listed && <EntityField listed={listed} busy={reading.isPending} onChoose={send} />}
      <FormError>{problem}</FormError>
      {reading.error && fault === undefined && <ByHand onByHand={onByHand && (() => onByHand(url.trim()))} />}
      {reading.data && 'sls' in reading.data && (
        <MetadataOutcome metadata={reading.data} isRemembered={addressOf(reading.variables) !== ''} />
      )}
      <div className={classes.row}>
        <BusyButton variant="default" busy={reading.isPending} onClick={() => read({ url, xml })}>
          Read metadata
        </BusyButton>
        <FileButton
          accept=".xml,text/xml,application/xml,application/samlmetadata+xml"
          onChange={(file) => file && read({ file })}
        >
          {(button) => (
            <Button {...button} variant="subtle" leftSection={<IconFileUpload size={17} stroke={1.8} />}>
              Choose a file
            </Button>
          )}
        </FileButton>
      </div>
    </>
  );
}

type ByHandProps = { onByHand: (() => void) | undefined };

/** The way on if metadata cannot be read, for example because this server cannot reach the application. */
function ByHand({ onByHand }: ByHandProps) {
  if (!onByHand) return <p className={classes.hint}>You can also enter the details in the fields below.</p>;
  return (
    <div className={classes.row}>
      <p className={classes.hint}>You can continue without the metadata.</p>
      <Button variant="default" onClick={onByHand}>
        Enter the details by hand
      </Button>
    </div>
  );
}

const addressOf = (source: MetadataSource | MetadataFile): string =>
  'file' in source ? '' : (source.url ?? '').trim();

/** Metadata that describes several service providers, and where it was read from. */
type ListedMetadata = { source: MetadataSource | MetadataFile; entities: MetadataEntity[] };

type EntityFieldProps = {
  listed: ListedMetadata;
  busy: boolean;
  onChoose: (source: MetadataSource | MetadataFile) => void;
};

/** The metadata of a federation has thousands of entries. More than these are found by searching. */
const maximumOptions = 50;

function EntityField({ listed: { source, entities }, busy, onChoose }: EntityFieldProps) {
  const data = useMemo(
    () =>
      [...new Map(entities.map((entity) => [entity.entity_id, entity])).values()].map(({ entity_id, name }) => ({
        value: entity_id,
        label: name ? `${name} (${entity_id})` : entity_id,
      })),
    [entities],
  );
  return (
    <Select
      label="Service provider"
      description={`This metadata describes ${formatNumber(data.length)} service providers. Choose the one to add.`}
      placeholder="Search by name or entity ID"
      data={data}
      limit={maximumOptions}
      searchable
      disabled={busy}
      nothingFoundMessage="No results"
      comboboxProps={{ withinPortal: true }}
      onChange={(entity_id) => entity_id && onChoose({ ...source, entity_id })}
    />
  );
}

/** Metadata cannot say whether a site also needs a signed response, so the server says it for the software that it recognises. */
const signatureText = ({ signs, wants_assertions_signed }: SubscriberMetadata): string => {
  if (signs === 'assertion')
    return ' Only the assertion will be signed, because this software needs no other signature.';
  return wants_assertions_signed
    ? ' The site asks for a signed assertion. Once it is added, a test sign-in shows whether it needs the signature of the response too.'
    : '';
};

type MetadataOutcomeProps = {
  metadata: SubscriberMetadata;
  /** Whether it is read again every day. */
  isRemembered: boolean;
};

function MetadataOutcome({ metadata, isRemembered }: MetadataOutcomeProps) {
  const { sls, warnings } = metadata;
  return (
    <>
      {warnings.map((warning) => (
        <FormWarning key={warning}>{warning}</FormWarning>
      ))}
      <p className={classes.hint} role="status">
        {sls === ''
          ? 'The metadata was read. Check the details below before you add the site. There is no sign-out address, so the site does not support single logout.'
          : 'The metadata was read. Check the details below before you add the site.'}
        {signatureText(metadata)}
        {isRemembered && ' The address is read again every day, and you get an email if something changes.'}
      </p>
    </>
  );
}
