import { relative } from 'node:path';

type Frame = { functionName: string; url: string; lineNumber: number };
type Node = { id: number; callFrame: Frame; children?: number[] };
/** A profile as V8 writes it. All times are microseconds of the monotonic clock. */
type CpuProfile = { nodes: Node[]; startTime: number; samples: number[]; timeDeltas: number[] };

/** How many microseconds were spent in something, by its name. */
type Tally = Map<string, number>;

export type Breakdown = { total: number; modules: Tally; functions: Tally; inclusive: Tally };

const root = process.cwd();

/** The module that a frame belongs to: a folder of ours, a package, or undefined for Node itself, which works for its caller. */
const moduleOf = ({ url, functionName }: Frame): string | undefined => {
  if (url.startsWith('node:') || url === '') return functionName === '(garbage collector)' ? functionName : undefined;
  const path = relative(root, url.replace('file://', ''));
  const [, bundled] = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
  if (bundled !== undefined) return bundled;
  const [, own = path] = /^((?:apps|packages)\/[^/]+\/(?:src\/(?:features\/)?)?[^/]+)/.exec(path) ?? [];
  return own;
};

const signing = /^(signOneShot|sign)$/;
const isSigning = ({ functionName, url }: Frame): boolean => signing.test(functionName) && url.includes('crypto');

const nameOf = ({ functionName, url, lineNumber }: Frame): string => {
  const place = url.startsWith('node:')
    ? url
    : relative(root, url.replace('file://', '')).replace(/^.*node_modules\//, '');
  return url === '' ? functionName : `${functionName || '(anonymous)'} ${place}:${lineNumber + 1}`;
};

const add = (tally: Tally, name: string, time: number): void => void tally.set(name, (tally.get(name) ?? 0) + time);

/** Adds up the samples between two times. Time in which the process had nothing to do is left out. */
export const readSamples = (
  { nodes, startTime, samples, timeDeltas }: CpuProfile,
  begun: number,
  ended: number,
): Breakdown => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const stackOf = (id: number): Frame[] => {
    const frames: Frame[] = [];
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const node = byId.get(at);
      if (node) frames.push(node.callFrame);
    }
    return frames;
  };
  const breakdown: Breakdown = { total: 0, modules: new Map(), functions: new Map(), inclusive: new Map() };
  let now = startTime;
  for (const [index, id] of samples.entries()) {
    now += timeDeltas[index] ?? 0;
    // A sample lasts until the next one.
    const time = timeDeltas[index + 1] ?? 0;
    if (now < begun || now > ended) continue;
    const stack = stackOf(id);
    const [leaf] = stack;
    if (!leaf || leaf.functionName === '(idle)') continue;
    breakdown.total += time;
    const found = stack.find((frame) => isSigning(frame))
      ? 'signatures'
      : (stack.map(moduleOf).find((name) => name !== undefined) ??
        (leaf.functionName === '(program)' ? '(program): native code without JavaScript' : 'Node alone'));
    add(breakdown.modules, found, time);
    add(breakdown.functions, nameOf(leaf), time);
    for (const name of new Set(stack.map(nameOf))) add(breakdown.inclusive, name, time);
  }
  return breakdown;
};

/** Prints the largest entries, in microseconds per sign-on and as a share of the total. */
export const printLargest = (
  title: string,
  tally: Tally,
  { total, per, most }: { total: number; per: number; most: number },
): void => {
  console.log(`\n${title}`);
  const largest = [...tally].toSorted(([, one], [, other]) => other - one).slice(0, most);
  for (const [name, time] of largest)
    console.log(
      `${(time / per).toFixed(1).padStart(8)} µs ${((100 * time) / total).toFixed(1).padStart(5)} %  ${name}`,
    );
};
