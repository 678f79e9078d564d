import { notifications } from '@mantine/notifications';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import { queryClient } from '../api/transport/query-client.ts';

// Screens load lazily, and a busy machine is slow.
configure({ asyncUtilTimeout: 5_000 });
queryClient.setDefaultOptions({ queries: { retry: false } });

// Files share a worker's window and modules: nothing of one test is there for the next.
afterEach(() => {
  cleanup();
  queryClient.clear();
  notifications.clean();
  notifications.cleanQueue();
  localStorage.clear();
  vi.unstubAllGlobals();
});
