import { changeGettingStarted, confirmBackups, testMailServer } from '@opensocial/contract';
import { mutationOptions } from '@tanstack/react-query';
import { gettingStartedQuery } from '../../../api/session/mail-delivery.ts';
import { call } from '../../../api/transport/caller.ts';
import { queryClient } from '../../../api/transport/query-client.ts';

const reload = (network: string) => queryClient.invalidateQueries({ queryKey: gettingStartedQuery(network).queryKey });

export const hideSteps = (network: string) =>
  mutationOptions({
    mutationKey: ['getting-started', network, 'hide'],
    mutationFn: (dismissed: boolean) =>
      call(changeGettingStarted, { params: { server: network }, body: { dismissed } }),
    onSuccess: (changed) => queryClient.setQueryData(gettingStartedQuery(network).queryKey, changed),
  });

export const confirmBackup = (network: string) =>
  mutationOptions({
    mutationKey: ['getting-started', network, 'backup'],
    mutationFn: () => call(confirmBackups, { body: { done: true } }),
    onSuccess: () => reload(network),
  });

export const testMail = (network: string) =>
  mutationOptions({
    mutationKey: ['getting-started', network, 'mail'],
    mutationFn: () => call(testMailServer, {}),
    onSuccess: () => reload(network),
  });
