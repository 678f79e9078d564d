export const profilePath = '/profile';

export const toProfile = (): string => profilePath;

/** The id of the section that explains second factors. */
export const aboutMfaId = 'about-mfa';

export const toAboutMfa = (): string => `${profilePath}#${aboutMfaId}`;
