export const aboutPath = '/about';

export const toAbout = (): string => aboutPath;
