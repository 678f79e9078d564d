import { ensureBuilt, ensureInstalled, main } from './prepare.mjs';

await main(async () => {
  await ensureInstalled();
  await ensureBuilt();
});
