import { describe, expect, test } from 'vitest';
import { siteLabel, siteTitle } from './site-names.ts';

describe('a site', () => {
  test('is called by its name, with the domain to tell it from others', () => {
    const site = { site_name: 'Reports', domain: 'reports.org' };
    expect(siteTitle(site)).toBe('Reports');
    expect(siteLabel(site)).toBe('Reports (reports.org)');
  });

  test.each(['', ' ', 'reports.org'])('without a name of its own (%o) is called by its domain', (site_name) => {
    const site = { site_name, domain: 'reports.org' };
    expect(siteTitle(site)).toBe('reports.org');
    expect(siteLabel(site)).toBe('reports.org');
  });
});
