import { callsByNoun } from '@opensocial/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { textOf } from '../../testing/app/browser.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp();
});

type Described = {
  openapi: string;
  paths: Record<string, Record<string, { operationId: string; 'x-access': string; responses: object }>>;
};

describe('the reference', () => {
  test('describes every call with its access', async () => {
    const description = (await testApp
      .browser()
      .fetch('/server/openapi.json')
      .then((answer) => answer.json())) as Described;
    const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods));
    const names = Object.values(callsByNoun).flatMap((calls) => Object.keys(calls));
    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(names.toSorted());
    expect(operations.every((operation) => operation['x-access'].length > 0)).toBe(true);
    expect(description.paths['/server/sso/network_mode']?.['put']).toMatchObject({
      'x-access': 'An owner of the network named by server',
    });
    expect(description.paths['/prxy/api/image_upload']?.['post']).toMatchObject({
      requestBody: { content: { 'multipart/form-data': { schema: { required: ['sso_server', 'image'] } } } },
    });
  });

  test('§7 describes the conflict of every call that takes a version, and of no other', async () => {
    const description = (await testApp
      .browser()
      .fetch('/server/openapi.json')
      .then((answer) => answer.json())) as Described & { components: { schemas: Record<string, object> } };
    const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods));
    const withConflict = operations.filter(({ responses }) => '409' in responses);
    expect(withConflict.map(({ operationId }) => operationId).toSorted()).toEqual([
      'changeSiteHealth',
      'fixSite',
      'planSiteMaintenance',
      'setNetworkMode',
      'updateGroup',
      'updateOidcClient',
      'updateSettings',
      'updateSite',
      'updateSiteAttributes',
      'updateSiteInfo',
      'updateSubscriber',
      'updateUser',
    ]);
    expect(withConflict[0]?.responses).toMatchObject({
      409: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Conflict' } } } },
    });
    expect(description.components.schemas['Conflict']).toMatchObject({
      properties: { conflict: { properties: { changed_by: {}, changed_at: {}, fields: {} } } },
      required: ['message', 'error', 'code'],
    });
  });

  test('is a page that people can read', async () => {
    const page = await testApp.browser().get('/server/docs');
    expect(textOf(page.html)).toContain('Set which sites the desktops of a network show.');
    expect(page.headers['content-security-policy']).not.toContain('unsafe');
  });
});
