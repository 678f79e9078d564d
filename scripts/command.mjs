import { main, runProgram } from './prepare.mjs';

const [name, ...args] = process.argv.slice(2);

await main(() => runProgram(`apps/server/dist/cli/${name}.js`, args));
