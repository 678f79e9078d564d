import { main, runServer } from './prepare.mjs';

await main(() => runServer('apps/demo/src/main.ts'));
