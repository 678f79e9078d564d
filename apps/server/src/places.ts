/** The package's own folder, from its sources and from what is built of them alike. */
const own = new URL('../', import.meta.url);

export const migrationsFolder = new URL('src/database/migrations/', own);

/** Made by `secrets/make-common-passwords.ts`, and checked in. */
export const commonPasswordsFile = new URL('src/secrets/common-passwords.bin', own);

/** The program that draws pictures anew, in a process of its own. */
export const redrawProgram = new URL('src/pictures/redraw.ts', own);

/** Made by `build.ts` from the packages that the icons come from. */
export const iconLibraryFile = new URL('dist/icons.json', own);
