import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import {
  errorReferenceQuery,
  missingReferenceText,
  readReference,
  toReference,
} from '../../../api/sign-in/error-reference.ts';
import { BusyButton } from '../../../patterns/busy-button/busy-button.tsx';
import { shortTime } from '../../../patterns/format/format.ts';
import { showErrorField } from '../../../patterns/toast/show-error-field.tsx';
import classes from './site-diagnosis.module.css';

type ReferenceSearchProps = { siteId: number };

/** §2.7: finds the sign-in of a person who has read out the reference number of an error page. */
export function ReferenceSearch({ siteId }: ReferenceSearchProps) {
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState<string>();
  const [error, setError] = useState<string>();
  const network = useAdminNetwork();
  const query = useQuery({ ...errorReferenceQuery(network, asked ?? ''), enabled: asked !== undefined });
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    const reference = readReference(typed);
    setAsked(reference);
    setError(reference ? undefined : 'A reference number has ten digits, such as 12345-67890.');
    if (reference !== undefined && reference === asked) query.refetch().catch(showErrorField);
  };
  return (
    <form className={classes.reference} onSubmit={handleSubmit} noValidate>
      <TextInput
        className={classes.referenceField ?? ''}
        label="Reference number of an error page"
        placeholder="12345-67890"
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={error}
      />
      <BusyButton
        type="submit"
        variant="default"
        leftSection={<IconSearch size={16} stroke={1.8} />}
        busy={query.isFetching}
      >
        Find
      </BusyButton>
      <p className={classes.referenceResult} role="status">
        {query.isError && 'The number could not be looked up. Please try again.'}
        {query.data === null &&
          asked !== undefined &&
          `No error page of ${network.name} has this number. ${missingReferenceText}`}
        {query.data && (
          <>
            {shortTime(query.data.at)}
            {query.data.person && `, ${query.data.person.name || query.data.person.email}`}: “{query.data.title}”.{' '}
            {query.data.site && query.data.site.id !== siteId && `This was at ${query.data.site.name}. `}
            <Link to={toReference(query.data.reference)}>Show all details in Activity</Link>
          </>
        )}
      </p>
    </form>
  );
}
