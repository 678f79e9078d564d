import { main, runProgram } from './prepare.mjs';

await main(() => runProgram('apps/demo/src/main.ts'));
