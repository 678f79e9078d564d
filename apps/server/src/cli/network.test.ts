import { confirmSignup, getSession, verifyToken } from '@opensocial/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { browserAt, callerOf, signIn } from '../testing/app/over-http.ts';
import { testOrigin } from '../testing/app/test-parts.ts';
import { makeDataFolder, postmasterOf } from '../testing/machine/data-folder.ts';
import { makeDatabase, query, urlOf } from '../testing/machine/database.ts';
import { templateName } from '../testing/machine/global-setup.ts';
import { allowForStarts, ServerProcess } from '../testing/machine/server-process.ts';

allowForStarts();

type Environment = Record<string, string>;

const password = 'correct horse battery staple';

const run = (environment: Environment, ...args: string[]) =>
  ServerProcess.run(environment, { program: 'dist/cli/network.js', args });

const linkIn = (text: string) => {
  const link = new URL(/http\S+\/set-password\S+/.exec(text)?.[0] ?? '');
  return { email: link.searchParams.get('email') ?? '', code: link.searchParams.get('token') ?? '' };
};

describe.concurrent('the command for networks', () => {
  let environment: Environment;
  beforeAll(async () => {
    const where = await makeDatabase(templateName);
    environment = {
      DATABASE_URL: urlOf(where),
      DATA_DIR: await makeDataFolder(),
      SECRET_KEY: 'a secret key that only tests use',
      PUBLIC_URL: testOrigin,
    };
  });

  test('creates a network whose owner activates the account with the link and signs in', async () => {
    const made = await run(environment, 'create', 'westlab', '--owner', 'Ines@Westlab.org');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(
      /^The network westlab was created\. ines@westlab\.org has been sent this activation link:\n/,
    );
    const body = linkIn(made.stdout);

    const again = await run(environment, 'create', 'westlab', '--owner', 'ines@westlab.org');
    expect(again).toMatchObject({ code: 1, stdout: '', stderr: 'A network of this name already exists.\n' });

    const server = await ServerProcess.start(environment);
    const browser = browserAt(server.address);
    const call = callerOf(browser);
    expect(await call(verifyToken, { body })).toMatchObject({ server: 'westlab' });
    await call(confirmSignup, { body: { ...body, password, signup_from: testOrigin } });
    await signIn(browser, { email: 'ines@westlab.org', password });
    expect(await call(getSession, {})).toMatchObject({ user: { default_server: 'westlab', is_admin: true } });

    const invited = await run(environment, 'invite', 'northlab', '--owner', 'ines@westlab.org');
    expect(invited.stdout).toBe('The network northlab is unchanged. ines@westlab.org is its owner and can sign in.\n');
    const nowhere = await run(environment, 'invite', 'nowhere', '--owner', 'ines@westlab.org');
    expect(nowhere).toMatchObject({ code: 1, stderr: 'There is no network nowhere.\n' });
  });

  test('prints its usage for wrong arguments, and changes nothing', async () => {
    // Uses its own database, because other tests create networks at the same time.
    const where = await makeDatabase(templateName);
    const networks = async () => (await query(where, 'select * from networks order by name')).rows;
    const before = await networks();
    const own = { ...environment, DATABASE_URL: urlOf(where) };
    const refused = await run(own, 'create', 'Search', '--owner', 'nobody');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^NAME: Enter 2 to 63 .*\nUsage:\n {2}npm run network -- create NAME --owner EMAIL/);
    expect(refused.stderr).not.toMatch(/^\s+at /m);
    expect(await networks()).toEqual(before);
  });

  test('reports wrong settings like the server does', async () => {
    const refused = await run({ ...environment, DATABASE_URL: 'mysql://x' }, 'create', 'eastlab', '--owner', 'a@b.org');
    expect(refused).toMatchObject({
      code: 1,
      stderr: 'Some settings are invalid:\n  DATABASE_URL: must be a postgres:// address\n',
    });
  });
});

describe.concurrent('the command for networks, on its own data folder', () => {
  test('works without a server, and leaves the first owner to the first start', async () => {
    const folder = await makeDataFolder();
    const settings = { DATA_DIR: folder, PUBLIC_URL: testOrigin };
    const made = await run(settings, 'create', 'westlab', '--owner', 'ines@westlab.org');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(await postmasterOf(folder)).toBeUndefined();

    const server = await ServerProcess.start(settings);
    expect(linkIn(server.stdout).email).toBe('owner@localhost.localdomain');
    const postmaster = await postmasterOf(folder);

    const beside = await run(settings, 'create', 'eastlab', '--owner', 'eva@eastlab.org');
    expect(beside).toMatchObject({ code: 0, stderr: '' });
    expect(await postmasterOf(folder)).toBe(postmaster);
    await server.says(/the email was saved in the outbox folder/);
    const call = callerOf(browserAt(server.address));
    for (const { stdout } of [made, beside]) {
      expect(await call(verifyToken, { body: linkIn(stdout) })).toMatchObject({
        server: /the network (\w+)/i.exec(stdout)?.[1],
      });
    }
  });
});
