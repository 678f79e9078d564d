import { ensureBuilt, ensureInstalled, findNode, main, run } from './prepare.mjs';

await main(async () => {
  await ensureInstalled({ forDevelopment: true });
  await ensureBuilt();
  return run(findNode(), ['e2e/pictures.ts']);
});
