import { limitOf } from './limits.ts';

/**
 * A fixed amount of ordinary JavaScript: escaping, splitting, grouping and sorting text, and JSON. Processors differ more in the speed of
 * RSA than in anything else, so a figure divided by the time of this work can be compared between machines. If it changes, figures from
 * before can no longer be compared.
 */
const referenceWork = (): number => {
  const items = Array.from({ length: 120 }, (_, place) => ({
    id: `_${(place * 7_919).toString(16)}`,
    name: `Person ${place} <person${place}@lab.example> & "team ${place % 7}"`,
    groups: [place % 3, place % 5, place % 7].map((group) => `group-${group}`),
  }));
  const escape = (text: string) => text.replace(/[<>&"]/g, (found) => `&#${found.charCodeAt(0)};`);
  const xml = items
    .map(
      ({ id, name, groups }) =>
        `<p id="${id}" name="${escape(name)}">${groups.map((group) => `<g>${group}</g>`).join('')}</p>`,
    )
    .join('');
  const counts = new Map<string, number>();
  for (const part of xml.split('<')) {
    const [key = ''] = part.split('>');
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted(([one, first], [other, second]) => second - first || (one < other ? -1 : 1));
  return (JSON.parse(JSON.stringify({ items, sorted })) as { items: unknown[] }).items.length;
};

/** The CPU time of the reference work, in milliseconds. */
export const measureReference = async (): Promise<number> => 1_000 / (await limitOf(referenceWork));
