import { mkdir, writeFile } from 'node:fs/promises';
import { makeLibrary } from './src/features/icons/make-library.ts';
import { iconLibraryFile } from './src/places.ts';

// What the server reads of the icon packages is a tenth of them, and in thousands of files.
await mkdir(new URL('.', iconLibraryFile), { recursive: true });
await writeFile(iconLibraryFile, JSON.stringify(await makeLibrary()));
