import { startEmbedded } from '../apps/server/src/database/embedded/embedded.ts';
import { testOrigin } from '../apps/server/src/testing/app/test-parts.ts';
import { Drill, freePort, requirePrograms } from './drill.ts';
import { repeat } from './http.ts';
import { actsAt, connections } from './parts/sign-ons.ts';
import { makeLimitedGroup } from './processor.ts';
import { stopServer } from './program.ts';
import { median, quantile } from './report.ts';
import { makePeopleAndSites } from './small-world.ts';

/**
 * Sign-ons a second of two servers on one database behind HAProxy, against those of one. Each server may use the same part of a core, so
 * that PostgreSQL, HAProxy and the clients find the rest of it on the same machine. One server and two are measured in turns.
 */
const part = Number(process.argv[2] ?? 0.3);
const rounds = 7;
const seconds = 10;
const secondsToWarmUp = 60;

requirePrograms({ haproxy: '/usr/sbin/haproxy' });

const drill = await Drill.create('scale-out');
const embedded = await startEmbedded(drill.folder);
const { host = '', user = '', password } = embedded.where;
const databaseUrl = `postgres://${user}:${String(password)}@localhost/postgres?host=${encodeURIComponent(host)}`;

try {
  const ports = [await freePort(), await freePort()];
  const gathered = await makePeopleAndSites(drill.settings(databaseUrl, ports[0] ?? 0));
  const servers = await Promise.all(ports.map((port) => drill.startServer(databaseUrl, port)));
  const groups = await Promise.all(ports.map((port) => makeLimitedGroup(`${port}`, part)));
  for (const [index, group] of groups.entries()) await group.add(servers[index]?.pid ?? 0);
  const proxies = {
    one: await drill.startBalancer('one', ports.slice(0, 1)),
    two: await drill.startBalancer('two', ports),
  };
  const measured = { one: [] as number[], two: [] as number[] };
  const measure = async (name: keyof typeof proxies, duration: number): Promise<number> => {
    const { signOn, close } = actsAt({ address: proxies[name], publicUrl: testOrigin }, gathered);
    const begun = performance.now();
    const count = await repeat(connections, duration, signOn);
    close();
    return (1_000 * count) / (performance.now() - begun);
  };
  await measure('two', secondsToWarmUp);
  for (let round = 0; round < rounds; round += 1) {
    measured.one.push(await measure('one', seconds));
    measured.two.push(await measure('two', seconds));
  }
  const ratios = measured.one.map((one, round) => (measured.two[round] ?? 0) / one);
  console.log(
    `Sign-ons a second, each server with ${part} of a core: ${median(measured.one).toFixed(0)} with one, ${median(measured.two).toFixed(0)} with two, ratio ${median(ratios).toFixed(2)} (quartiles ${quantile(ratios, 0.25).toFixed(2)} to ${quantile(ratios, 0.75).toFixed(2)}) / 1.8`,
  );
  await Promise.all(servers.map(stopServer));
  await Promise.all(groups.map(({ remove }) => remove()));
} finally {
  await drill.stop();
  await embedded.stop();
  await drill.remove();
}
