import { describe, expect, test } from 'vitest';
import { toBase } from './recipes.ts';

describe('the address of an application', () => {
  test.for([
    ['https://charts.example.org', 'https://charts.example.org'],
    ['charts.example.org', 'https://charts.example.org'],
    ['  HTTPS://Charts.Example.org/  ', 'https://charts.example.org'],
    ['https://lab.example.org/grafana/', 'https://lab.example.org/grafana'],
    ['https://lab.example.org/grafana/?orgId=1#top', 'https://lab.example.org/grafana'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['localhost:3000', 'https://localhost:3000'],
  ])('%s is %s', ([typed = '', base]) => {
    expect(toBase(typed)).toBe(base);
  });

  test.for([
    '',
    '   ',
    'grafana',
    'https://',
    'javascript:alert(1)',
    'https://me:secret@charts.example.org',
    'ftp://a.example.org',
  ])('is not %j', (typed) => {
    expect(toBase(typed)).toBeUndefined();
  });
});
