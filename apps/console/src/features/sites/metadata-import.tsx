import { Button, FileButton, Textarea, TextInput } from '@mantine/core';
import { MetadataSource, type SubscriberMetadata } from '@opensocial/contract';
import { IconFileUpload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { errorText } from '../../api/transport/error-text.ts';
import { BusyButton } from '../../patterns/busy-button/busy-button.tsx';
import { Fold } from '../../patterns/fold/fold.tsx';
import classes from '../../patterns/form/form.module.css';
import { FormError } from '../../patterns/form/form-error.tsx';
import { schemaFaults } from '../../patterns/form/schema-faults.ts';
import { importMetadata } from './sites.api.ts';

const faultsOf = schemaFaults(MetadataSource);

type MetadataImportProps = {
  onRead: (metadata: SubscriberMetadata) => void;
  /** Called with whether the field has input. */
  onTyped: (isTyped: boolean) => void;
};

/** Fills the form from the SAML metadata of the site: by its address, a file, or pasted text. */
export function MetadataImport({ onRead, onTyped }: MetadataImportProps) {
  const network = useAdminNetwork();
  const reading = useMutation(importMetadata(network));
  const [url, setUrl] = useState('');
  const [xml, setXml] = useState('');
  const isTyped = `${url}${xml}`.trim() !== '';
  useEffect(() => onTyped(isTyped), [isTyped, onTyped]);
  const [fault, setFault] = useState<string>();
  const read = (source: MetadataSource) => {
    reading.reset();
    const [first] = Object.values(faultsOf(source));
    setFault(first);
    if (first === undefined) reading.mutate(source, { onSuccess: onRead });
  };
  /** The content of the file is shown as if it were pasted, so that the user sees what was read. */
  const handleFile = async (file: File | null) => {
    if (!file) return;
    const content = await file.text();
    setXml(content);
    read({ url, xml: content });
  };
  const problem = fault ?? (reading.error ? errorText(reading.error) : undefined);
  return (
    <Fold title="Fill in from metadata">
      <TextInput
        label="Address of the metadata"
        type="url"
        placeholder="https://reports.example.org/metadata"
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <Textarea
        label="Or its XML"
        autosize
        minRows={3}
        maxRows={8}
        spellCheck={false}
        value={xml}
        onChange={(event) => setXml(event.currentTarget.value)}
      />
      <FormError>{problem}</FormError>
      {reading.data && (
        <p className={classes.hint} role="status">
          {reading.data.sls === ''
            ? 'The fields are filled in. The metadata has no sign-out address: enter the SSO SLS URL.'
            : 'The fields are filled in. Check them before you add the site.'}
        </p>
      )}
      <div className={classes.row}>
        <BusyButton variant="default" busy={reading.isPending} onClick={() => read({ url, xml })}>
          Read metadata
        </BusyButton>
        <FileButton
          accept=".xml,text/xml,application/xml,application/samlmetadata+xml"
          onChange={(file) => void handleFile(file)}
        >
          {(button) => (
            <Button {...button} variant="subtle" leftSection={<IconFileUpload size={17} stroke={1.8} />}>
              Choose a file
            </Button>
          )}
        </FileButton>
      </div>
    </Fold>
  );
}
