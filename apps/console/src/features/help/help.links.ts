export const helpPath = '/help';

export const toHelp = (): string => helpPath;
