import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { AggregatorRegistry, type Registry } from 'prom-client';

/** A worker asks the keeper, which adds up what all of them have measured. */
type Question = { metrics: 'asked' };
type Told = { metrics: 'told'; text: string };

const isAbout = <T extends Question | Told>(word: unknown, what: T['metrics']): word is T =>
  typeof word === 'object' && word !== null && 'metrics' in word && word.metrics === what;

/** Made on both sides: it listens for the other. */
const aggregator = new AggregatorRegistry();

/** On the keeper's side. */
export const answerMetrics = (worker: Worker, word: unknown): void => {
  if (!isAbout<Question>(word, 'asked')) return;
  const tell = (text: string) => void (worker.isConnected() && worker.send({ metrics: 'told', text } satisfies Told));
  // A worker that has just died does not answer; then there is nothing this time.
  aggregator.clusterMetrics().then(tell, () => tell(''));
};

/** What is measured, by this process or, where there are several, by all of them. */
export const createMetricsReader = (registry: Registry): (() => Promise<string>) => {
  if (!cluster.isWorker) return () => registry.metrics();
  AggregatorRegistry.setRegistries(registry);
  return async () => {
    process.send?.({ metrics: 'asked' } satisfies Question);
    for (;;) {
      const [word] = (await once(process, 'message')) as [unknown];
      if (isAbout<Told>(word, 'told')) return word.text;
    }
  };
};
