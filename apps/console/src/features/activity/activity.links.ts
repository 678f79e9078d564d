export const activityPath = '/activity';

export const toActivity = (): string => activityPath;

export const toLine = (id: number): string => `${activityPath}/${id}/details`;
