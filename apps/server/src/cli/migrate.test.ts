import { expect, test } from 'vitest';
import { testOrigin } from '../testing/app/test-parts.ts';
import { makeDataFolder } from '../testing/machine/data-folder.ts';
import { makeDatabase, query, urlOf } from '../testing/machine/database.ts';
import { allowForStarts, ServerProcess } from '../testing/machine/server-process.ts';

allowForStarts();

test('npm run migrate prepares a database, can be repeated, and explains what is wrong', async () => {
  const where = await makeDatabase();
  const environment = {
    DATABASE_URL: urlOf(where),
    DATA_DIR: await makeDataFolder(),
    SECRET_KEY: 'a secret key that only tests use',
    PUBLIC_URL: testOrigin,
  };
  const migrate = () => ServerProcess.run(environment, { program: 'dist/cli/migrate.js' });
  for (let times = 0; times < 2; times += 1)
    expect(await migrate()).toMatchObject({ code: 0, stdout: 'The database is up to date.\n', stderr: '' });
  expect((await query(where, 'select name from networks')).rows).toEqual([{ name: 'opensocial' }]);
  // The first owner is left to the first server, which prints the link.
  expect((await query(where, 'select from users')).rowCount).toBe(0);

  await query(where, "insert into migrations (name) values ('9999-from-the-future.sql')");
  expect(await migrate()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The database was migrated by a newer version of this program') as unknown,
  });
});
