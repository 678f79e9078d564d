import { listIconCategories, listIcons } from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { findIcons, readLibrary } from './icons.service.ts';

export const iconRoutes = (bind: Bind, { config }: Parts): void => {
  bind(listIcons, async ({ params: { lastid: lastId, ...query } }) => {
    const { icons, total } = findIcons(await readLibrary(), { ...query, lastId, size: config.pageSize });
    return { icons, all_icons: { count: total } };
  });

  bind(listIconCategories, async () => ({ categories: (await readLibrary()).categories }));
};
