import { IconHash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSessionUser } from '../../../api/session/session.ts';
import {
  errorReferenceQuery,
  missingReferenceText,
  readReference,
  toReference,
} from '../../../api/sign-in/error-reference.ts';
import { shortTime } from '../../../patterns/format/format.ts';
import type { Destination } from './use-destinations.ts';
import { useIsNetworkAdmin } from './use-is-network-admin.ts';

/** The error page of the selected network with the reference number that was typed. Only its administrators may look for it. */
export const useReferenceDestinations = (typed: string) => {
  const { selected_id: id, selected_server: name } = useSessionUser();
  const reference = readReference(typed);
  const enabled = useIsNetworkAdmin(name) && reference !== undefined;
  const found = useQuery({ ...errorReferenceQuery({ id, name }, reference ?? ''), enabled });
  const page = enabled ? found.data : undefined;
  const destinations: Destination[] = page
    ? [
        {
          to: toReference(page.reference),
          label: page.title,
          hint: [page.person?.name, shortTime(page.at)].filter(Boolean).join(' · '),
          icon: IconHash,
        },
      ]
    : [];
  return {
    destinations,
    isPending: enabled && found.isPending,
    /** What to do if there is no such page. */
    missing: page === null ? `No error page of ${name} has this reference number. ${missingReferenceText}` : undefined,
  };
};
