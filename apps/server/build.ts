import { mkdir, writeFile } from 'node:fs/promises';
import { libraryFile } from './src/features/icons/icons.service.ts';
import { makeLibrary } from './src/features/icons/make-library.ts';

// What the server reads of the icon packages is a tenth of them, and in thousands of files.
await mkdir(new URL('.', libraryFile), { recursive: true });
await writeFile(libraryFile, JSON.stringify(await makeLibrary()));
