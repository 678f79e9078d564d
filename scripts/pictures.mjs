import { ensureBuilt, ensureInstalled, findNode, main, run } from './prepare.mjs';

await main(async () => {
  await ensureInstalled();
  await ensureBuilt();
  return run(findNode(), ['e2e/pictures.ts']);
});
