import { readFile } from 'node:fs/promises';
import { getAbout } from '@opensocial/contract';
import { expect, test } from 'vitest';
import { makeUser, signInto } from '../../testing/app/builders.ts';
import { buildTestApp } from '../../testing/app/test-app.ts';

test('§2.2 help: people who have signed in learn the version of the program, strangers do not', async () => {
  const testApp = await buildTestApp();
  const { version } = JSON.parse(await readFile(new URL('../../../../../package.json', import.meta.url), 'utf8'));
  const browser = testApp.browser();
  await expect(testApp.as(browser)(getAbout, {})).rejects.toMatchObject({ status: 401 });
  const user = await makeUser(testApp.db);
  const call = testApp.as(await signInto(testApp.db, testApp.browser(), user));
  expect(await call(getAbout, {})).toEqual({ version });
});
