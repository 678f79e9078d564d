import { afterAll } from 'vitest';
import { runCleanups } from './cleanup.ts';

// In the setup file, because this runs for every test file, whereas modules are loaded once for many.
afterAll(runCleanups);
