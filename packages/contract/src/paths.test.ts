import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Id, NamedNetwork } from './fields.ts';
import { Keyword } from './paging.ts';
import { listPath, path } from './paths.ts';

const sites = listPath(
  '/server/sso/sites/:server_id',
  { filter: z.enum(['Active', 'Disable']), site_mode: z.enum(['Open', 'Closed']) },
  '/:lastid/:sso_server',
  { server_id: Id, sso_server: NamedNetwork },
);
const activity = listPath(
  '/server/sso/activity/:server',
  { filter: z.string(), site: z.string(), time: z.string() },
  '/:lastid',
  {
    server: NamedNetwork,
  },
);

/** Keywords that people and attackers type: path syntax, words of the grammar itself, Unicode, 500 characters. */
const keyword = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 2, maxLength: 500 }),
    fc.stringMatching(/^[/%.\\?#&;=+ ]{2,20}$/),
    fc.constantFrom(
      'filter',
      'search',
      'site_mode',
      'time',
      'site',
      '..',
      '../..',
      '%2F',
      '%2e%2e',
      'a/b',
      '😀😀',
      'é'.repeat(500),
    ),
  )
  .map((text) => text.toWellFormed().trim())
  .filter((text) => Keyword.safeParse(text).success);

const named = { server_id: '5', lastid: '0', sso_server: 'northlab' };

/** The path after a browser and a server have parsed it. */
const travelled = (built: string): string => new URL(built, 'http://localhost').pathname;

describe('the list-path codec', () => {
  test('parses what it builds, for any keyword and any filters', () => {
    fc.assert(
      fc.property(
        fc.record(
          {
            server_id: fc.integer({ min: 1 }),
            lastid: fc.nat(),
            sso_server: fc.stringMatching(/^[a-z0-9-]{2,63}$/),
            filter: fc.constantFrom('Active' as const, 'Disable' as const),
            site_mode: fc.constantFrom('Open' as const, 'Closed' as const),
            keyword,
          },
          { requiredKeys: ['server_id', 'lastid', 'sso_server'] },
        ),
        (params) => {
          expect(sites.params.parse(sites.parse(travelled(sites.build(params))))).toEqual(params);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('keeps free filter values whole beside a keyword', () => {
    fc.assert(
      fc.property(keyword, keyword, (site, word) => {
        const params = { server: 'northlab', lastid: 7, site, keyword: word };
        expect(activity.params.parse(activity.parse(travelled(activity.build(params))))).toEqual(params);
      }),
    );
  });

  test('names the same network whatever segments are in the middle', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('filter', 'Active', 'search', 'site_mode', 'Open', '9', 'other', '%2F'), {
          maxLength: 8,
        }),
        (middle) => {
          const { server_id, lastid, sso_server } =
            sites.parse(['/server/sso/sites/5', ...middle, '0', 'northlab'].join('/')) ?? named;
          expect({ server_id, lastid, sso_server }).toEqual(named);
        },
      ),
      { numRuns: 10_000 },
    );
  });

  test.each([
    ['/server/sso/sites/5/0/northlab', {}],
    ['/server/sso/sites/5/search/lims/0/northlab', { keyword: 'lims' }],
    ['/server/sso/sites/5/filter/Active/0/northlab', { filter: 'Active' }],
    [
      '/server/sso/sites/5/filter/Active/site_mode/Open/lims/0/northlab',
      { filter: 'Active', site_mode: 'Open', keyword: 'lims' },
    ],
    ['/server/sso/sites/5/filter/0/northlab', { keyword: 'filter' }],
  ])('reads %s', (pathname, middle) => {
    expect(sites.parse(pathname)).toEqual({ server_id: '5', lastid: '0', sso_server: 'northlab', ...middle });
  });

  test.each([
    '/server/sso/sites/5/northlab',
    '/server/sso/sites/5/site_mode/Open/filter/Active/0/northlab',
    '/server/sso/sites/5/filter/Active/filter/Disable/0/northlab',
    '/server/sso/sites/5/filter/Active/search/lims/0/northlab',
    '/server/sso/sites/5//0/northlab',
    '/server/sso/sites/5/search/%E0%A4%A/0/northlab',
    '/server/sso/groups/5/0/northlab',
  ])('refuses %s', (pathname) => {
    expect(sites.parse(pathname)).toBeUndefined();
  });
});

describe('a path of fixed length', () => {
  const name = path('/server/get_name/:id', { id: Id });

  test('parses what it builds', () => {
    expect(name.build({ id: 12 })).toBe('/server/get_name/12');
    expect(name.params.parse(name.parse('/server/get_name/12'))).toEqual({ id: 12 });
  });

  test.each(['/server/get_name', '/server/get_name/', '/server/get_name/1/2', '/server/other/1'])(
    'refuses %s',
    (pathname) => {
      expect(name.parse(pathname)).toBeUndefined();
    },
  );
});
