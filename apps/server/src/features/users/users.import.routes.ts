import { importUsers } from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { importRows } from './users.import.service.ts';

export const userImportRoutes = (bind: Bind, parts: Parts): void => {
  bind(importUsers, async ({ body: { rows, apply }, ...caller }) => ({
    outcomes: await importRows(parts, caller, rows, apply),
  }));
};
