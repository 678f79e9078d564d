/** The folder of this package, the same for the source files and the built ones. */
const own = new URL('../', import.meta.url);

export const migrationsFolder = new URL('src/database/migrations/', own);

/** Created by `secrets/make-common-passwords.ts` and checked in. */
export const commonPasswordsFile = new URL('src/secrets/common-passwords.bin', own);

/** The program that re-encodes pictures in a separate process. */
export const redrawProgram = new URL('src/pictures/redraw.ts', own);

/** Created by `build.ts` from the icon packages. */
export const iconLibraryFile = new URL('dist/icons.json', own);
