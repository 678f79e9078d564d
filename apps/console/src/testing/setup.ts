import { notifications } from '@mantine/notifications';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import { queryClient } from '../api/transport/query-client.ts';

// Numbers and times are formatted in the language of the browser.
Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true });

// Screens load lazily, and a busy machine may be slow.
configure({ asyncUtilTimeout: 30_000 });
queryClient.setDefaultOptions({ queries: { retry: false } });

// Test files share the window and the modules of a worker, so all state is reset.
afterEach(() => {
  cleanup();
  queryClient.clear();
  notifications.clean();
  notifications.cleanQueue();
  localStorage.clear();
  vi.unstubAllGlobals();
});
