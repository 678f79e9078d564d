import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import { queryClient } from '../api/query-client.ts';

// Screens load lazily, and a busy machine is slow.
configure({ asyncUtilTimeout: 5_000 });
queryClient.setDefaultOptions({ queries: { retry: false } });

afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});
