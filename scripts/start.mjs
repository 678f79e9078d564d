import { main, runServer } from './prepare.mjs';

await main(() => runServer('apps/server/dist/main.js'));
