import { afterAll } from 'vitest';
import { clearAway } from './endings.ts';

// In the setup file, because this runs for every test file, whereas modules are loaded once for many.
afterAll(clearAway);
