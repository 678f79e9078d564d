/** The id of the section of the profile page that explains second factors. */
export const aboutMfaId = 'about-mfa';

export const toAboutMfa = (): string => `/profile#${aboutMfaId}`;
