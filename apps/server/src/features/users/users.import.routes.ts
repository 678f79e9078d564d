import { importUsers } from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { importRow } from './users.import.service.ts';

export const userImportRoutes = (bind: Bind, parts: Parts): void => {
  bind(importUsers, async ({ body: { rows, apply }, ...by }) => {
    const outcomes = [];
    // One after the other, so that two lines of one person are seen as that.
    for (const row of rows) outcomes.push(await importRow(parts, by, row, apply));
    return { outcomes };
  });
};
