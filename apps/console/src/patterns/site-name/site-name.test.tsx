import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { SiteName } from './site-name.tsx';

const textsOf = (site: { site_name: string; domain: string }) => {
  const { container } = render(<SiteName site={site} />);
  return [...container.querySelectorAll('span > span')].map(({ textContent }) => textContent);
};

test('a site is shown by its name, with the domain below', () => {
  expect(textsOf({ site_name: 'Reports', domain: 'reports.org' })).toEqual(['Reports', 'reports.org']);
});

test('a site without a name of its own is shown by its domain, once', () => {
  expect(textsOf({ site_name: 'reports.org', domain: 'reports.org' })).toEqual(['reports.org']);
});
