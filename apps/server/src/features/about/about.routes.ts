import { getAbout } from '@opensocial/contract';
import program from '../../../../../package.json' with { type: 'json' };
import type { Bind } from '../../http/bind.ts';

export const aboutRoutes = (bind: Bind): void => {
  bind(getAbout, async () => ({ version: program.version }));
};
