export const changesPath = '/activity/changes';

export const toChanges = (): string => changesPath;

export const toChange = (id: number): string => `${changesPath}/${id}/details`;
