export const homePath = '/';

export const toHome = (): string => homePath;
