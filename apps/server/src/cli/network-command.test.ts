import { describe, expect, test } from 'vitest';
import { ConfigError } from '../config.ts';
import { readCommand } from './network-command.ts';

describe('the command for networks', () => {
  test('reads the verb, the network and the owner', () => {
    expect(readCommand(['create', 'westlab', '--owner', 'Ines@Westlab.org'])).toEqual({
      verb: 'create',
      name: 'westlab',
      owner: 'ines@westlab.org',
    });
    expect(readCommand(['--owner=ines@westlab.org', 'invite', 'west-lab-2'])).toMatchObject({ name: 'west-lab-2' });
  });

  test.for([
    ['nothing', []],
    ['an unknown verb', ['destroy', 'westlab', '--owner', 'a@b.org']],
    ['no name', ['create', '--owner', 'a@b.org']],
    ['no owner', ['create', 'eastlab']],
    ['an owner without an address', ['create', 'eastlab', '--owner']],
    ['something that is no address', ['create', 'eastlab', '--owner', 'nobody']],
    ['two addresses', ['create', 'eastlab', '--owner', 'a@b.org, c@d.org']],
    ['an address with a header behind it', ['create', 'eastlab', '--owner', 'a@b.org\r\nBcc: c@d.org']],
    ['a reserved name', ['create', 'search', '--owner', 'a@b.org']],
    ['upper case', ['create', 'EastLab', '--owner', 'a@b.org']],
    ['a single letter', ['create', 'e', '--owner', 'a@b.org']],
    ['64 letters', ['create', 'e'.repeat(64), '--owner', 'a@b.org']],
    ['a hyphen at the end', ['create', 'eastlab-', '--owner', 'a@b.org']],
    ['a path', ['create', '../eastlab', '--owner', 'a@b.org']],
    ['a name too many', ['create', 'eastlab', 'westlab', '--owner', 'a@b.org']],
    ['an unknown option', ['create', 'eastlab', '--owner', 'a@b.org', '--force']],
  ] as [string, string[]][])('prints its usage for %s', ([, args]) => {
    expect(() => readCommand(args)).toThrow(ConfigError);
    expect(() => readCommand(args)).toThrow('Usage:\n  npm run network -- create NAME --owner EMAIL');
  });
});
