import { ErrorReference, findErrorReference, referenceDays } from '@opensocial/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../transport/caller.ts';
import type { NetworkRef } from '../transport/network-ref.ts';

/** The reference number of an error page in a text that consists of nothing else. */
export const readReference = (text: string): string | undefined => ErrorReference.safeParse(text).data;

/** The error page that a person saw while signing in to a site of the network; null if there is none with this number. */
export const errorReferenceQuery = ({ id, name }: NetworkRef, reference: string) =>
  queryOptions({
    queryKey: ['error-reference', id, reference],
    queryFn: async ({ signal }) =>
      (await call(findErrorReference, { params: { server_name: name, reference } }, signal)).page,
    // The page may be written a moment after the person has read out its number.
    staleTime: 0,
  });

/** What to do if a number is not found. */
export const missingReferenceText = `Check the digits. Numbers are kept for ${referenceDays} days, in the network of the application that the person wanted to open. If that is another network, its owners can find the number.`;

/** The list of sign-ins, with what is known about a number. */
export const toReference = (reference: string): string => `/activity?${new URLSearchParams({ search: reference })}`;
