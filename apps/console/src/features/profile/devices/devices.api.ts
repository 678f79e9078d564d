import { listDevices, removeDevice, removeOtherDevices } from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/transport/caller.ts';
import { queryClient } from '../../../api/transport/query-client.ts';

const devicesKey = ['profile', 'devices'] as const;

export const devicesQuery = queryOptions({
  queryKey: devicesKey,
  queryFn: async ({ signal }) => (await call(listDevices, {}, signal)).devices,
});

export const signOutDevice = mutationOptions({
  mutationKey: ['devices', 'remove'],
  mutationFn: (id: number) => call(removeDevice, { params: { id } }),
  onSettled: () => queryClient.invalidateQueries({ queryKey: devicesKey }),
});

export const signOutOthers = mutationOptions({
  mutationKey: ['devices', 'remove-others'],
  mutationFn: () => call(removeOtherDevices, {}),
  onSettled: () => queryClient.invalidateQueries({ queryKey: devicesKey }),
});
