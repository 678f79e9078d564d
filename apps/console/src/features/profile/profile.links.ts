export const profilePath = '/profile';

export const toProfile = (): string => profilePath;
