import { buildApp } from '../apps/server/src/app.ts';
import { insertKey } from '../apps/server/src/features/signing-keys/signing-keys.service.ts';
import { makeSigningKey } from '../apps/server/src/secrets/signing-keys.ts';
import { networkNamed } from '../apps/server/src/testing/app/builders.ts';
import { signatureLimit } from './limits.ts';
import { median, printTable, quantile } from './report.ts';
import { network, openSmallWorld } from './small-world.ts';

/**
 * The CPU time of a single sign-on by what is signed and with which key. The kinds take turns in one process and on one database, in a
 * random order, so that the load of the machine changes all of them alike. Each is compared with two RSA signatures of the same round.
 */
const rounds = Number(process.argv[2] ?? 200);
const siteCount = 20;

const world = await openSmallWorld('signatures');
const { parts } = world;
const app = await buildApp(parts);

const { id } = await networkNamed(parts.db, network);
const made = await makeSigningKey(network, 'ec-p256');
const ecdsa = await insertKey(parts.db, id, 'next', made, parts.vault.encrypt(made.privateKey));

const kinds = {
  'RSA-2048, both': await world.makeSites(siteCount, { signs: 'both' }),
  'RSA-2048, assertion': await world.makeSites(siteCount, { signs: 'assertion' }),
  'ECDSA P-256, both': await world.makeSites(siteCount, { signs: 'both', signing_key_id: ecdsa.id }),
  'ECDSA P-256, assertion': await world.makeSites(siteCount, { signs: 'assertion', signing_key_id: ecdsa.id }),
};
type Kind = keyof typeof kinds;
const names = Object.keys(kinds) as Kind[];
const reference: Kind = 'RSA-2048, both';

/** The CPU milliseconds of each kind in a round, which has one turn of each. */
const measureRound = async (): Promise<Record<Kind, number>> => {
  const times: [Kind, number][] = [];
  for (const kind of names.toSorted(() => Math.random() - 0.5))
    times.push([kind, await world.measureTurn(app, kinds[kind])]);
  return Object.fromEntries(times) as Record<Kind, number>;
};

try {
  for (let warm = 0; warm < 15; warm += 1) await measureRound();
  const measured: Record<Kind, number>[] = [];
  for (let round = 0; round < rounds; round += 1) measured.push(await measureRound());
  const [rsa, ec] = [await signatureLimit('RS256'), await signatureLimit('ES256')];
  printTable(
    names.map((kind) => {
      const ratios = measured.map((round) => round[kind] / round[reference]);
      return {
        what: `sign-on: ${kind}`,
        measured: `${median(measured.map((round) => round[kind])).toFixed(2)} ms of CPU`,
        against: `${reference}; quartiles ${quantile(ratios, 0.25).toFixed(2)} to ${quantile(ratios, 0.75).toFixed(2)}`,
        ratio: median(ratios),
      };
    }),
  );
  console.log(`This processor makes ${rsa.toFixed(0)} RSA-2048 and ${ec.toFixed(0)} P-256 signatures a CPU-second.`);
} finally {
  await app.close();
  await world.close();
}
