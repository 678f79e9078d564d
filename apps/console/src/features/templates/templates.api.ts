import {
  getTemplates,
  getTemplateVersion,
  getTemplateVersions,
  sendTestMail,
  type TemplateKind,
  templateNames,
  updateTemplate,
} from '@opensocial/contract';
import { mutationOptions, queryOptions, skipToken } from '@tanstack/react-query';
import { call } from '../../api/transport/caller.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { queryClient } from '../../api/transport/query-client.ts';

export const templatesQuery = (network: NetworkRef) =>
  queryOptions({
    queryKey: ['templates', network.id],
    queryFn: ({ signal }) => call(getTemplates, { params: { server: network.name } }, signal),
  });

export const versionsQuery = (network: NetworkRef, kind: TemplateKind) =>
  queryOptions({
    queryKey: ['template-versions', network.id, kind],
    queryFn: ({ signal }) => call(getTemplateVersions, { params: { server: network.name, kind } }, signal),
    // Another person may have saved a version in the meantime.
    staleTime: 0,
  });

export const versionQuery = (network: NetworkRef, id: number | undefined) =>
  queryOptions({
    queryKey: ['template-version', network.id, id],
    queryFn:
      id === undefined
        ? skipToken
        : ({ signal }) => call(getTemplateVersion, { params: { server: network.name, id } }, signal),
  });

const change = (network: NetworkRef, fields: object) =>
  call(updateTemplate, { params: { server: network.name }, body: { server: network.name, ...fields } as never });

const patch = (network: NetworkRef, fields: object): void => {
  queryClient.setQueryData(templatesQuery(network).queryKey, (cached) => cached && { ...cached, ...fields });
};

/** §4: the switch saves at once. */
export const switchTemplate = (network: NetworkRef, kind: TemplateKind) => {
  const { use, switchMarker } = templateNames[kind];
  return mutationOptions({
    mutationKey: ['templates', 'switch', network.id, kind],
    mutationFn: (isUsed: boolean) => change(network, { request: switchMarker, [use]: isUsed ? 'Yes' : 'No' }),
    onSuccess: (_answer, isUsed) => patch(network, { [use]: isUsed ? 'Yes' : 'No' }),
  });
};

/** `template` is JSON text of design and html. */
export const saveTemplate = (network: NetworkRef, kind: TemplateKind) => {
  const { field, updateMarker } = templateNames[kind];
  return mutationOptions({
    mutationKey: ['templates', 'save', network.id, kind],
    mutationFn: (template: string) => change(network, { request: updateMarker, [field]: template }),
    onSuccess: (_answer, template) =>
      queryClient.setQueryData(templatesQuery(network).queryKey, (cached) => {
        if (!cached) return cached;
        const { [kind]: _solved, ...problems } = cached.problems;
        return { ...cached, [field]: template, problems };
      }),
  });
};

export const sendTest = (network: NetworkRef, kind: TemplateKind) =>
  mutationOptions({
    mutationKey: ['templates', 'test', network.id, kind],
    mutationFn: (template: string) =>
      call(sendTestMail, { params: { server: network.name }, body: { kind, template } }),
  });
