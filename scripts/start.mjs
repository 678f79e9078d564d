import { main, runProgram } from './prepare.mjs';

await main(() => runProgram('apps/server/dist/main.js'));
