import { z } from 'zod';
import { signedIn } from '../access.ts';
import { call } from '../call.ts';
import { listPath, path } from '../paths.ts';
import { FontType, Icon, IconCategory } from './icons.schemas.ts';

export const listIcons = call({
  method: 'GET',
  path: listPath('/server/fa/icons', { filter: FontType, category: z.string().max(60) }, '/:lastid', {}),
  summary: 'The icons to choose from, by name; a filter is a font style.',
  access: signedIn,
  answer: z.object({ icons: z.array(Icon), all_icons: z.object({ count: z.int().min(0) }) }),
});

export const listIconCategories = call({
  method: 'GET',
  path: path('/server/fa/categories', {}),
  summary: 'The categories that icons are sorted into.',
  access: signedIn,
  answer: z.object({ categories: z.array(IconCategory) }),
});
