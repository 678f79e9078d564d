import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { answer, refusal, stubServer } from '../../testing/stub-server.ts';
import { designerRoute, reportRoute } from './embedded.routes.tsx';

const pages = 'GET /server/embedded';

test.each([
  ['Report', reportRoute, '/lims/report', 'https://reports.example.org/start'],
  ['Designer', designerRoute, '/any product/designer', 'https://designer.example.org/'],
])('§2.1 embedded pages: %s fills the content area in a sandbox', async (title, route, address, url) => {
  stubServer({
    [pages]: answer({ report_url: 'https://reports.example.org/start', designer_url: 'https://designer.example.org/' }),
  });
  renderScreen(route, address);
  const frame = await screen.findByTitle<HTMLIFrameElement>(title);
  expect(frame.getAttribute('src')).toBe(url);
  expect(frame.getAttribute('sandbox')).toBe(
    'allow-scripts allow-forms allow-same-origin allow-popups allow-downloads',
  );
  expect(frame.getAttribute('referrerpolicy')).toBe('no-referrer');
  expect(route.handle.network).toBe('Report');
});

test.each(['', 'javascript:alert(1)'])('§7 embedded pages: the address %j shows a text and no frame', async (url) => {
  stubServer({ [pages]: answer({ report_url: url, designer_url: '' }) });
  renderScreen(reportRoute, '/lims/report');
  expect(await screen.findByText('The report page is not set up.')).toBeDefined();
  expect(screen.queryByTitle('Report')).toBeNull();
});

test('§8 embedded pages: a failed load shows the error panel', async () => {
  stubServer({ [pages]: refusal('internal') });
  renderScreen(reportRoute, '/lims/report');
  expect(await screen.findByText(/^Something went wrong with the SSO Server/)).toBeDefined();
});
