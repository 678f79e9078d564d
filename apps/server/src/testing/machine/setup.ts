import { afterAll } from 'vitest';
import { clearAway } from './endings.ts';

// Here, because this runs for every file: the modules that make things are loaded once for many.
afterAll(clearAway);
