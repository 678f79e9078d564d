import { isDatabaseAway } from './connect.ts';

const largestGroup = 200;

type Waiting<Item> = { item: Item; done: () => void; failed: (error: unknown) => void };

/**
 * Writes in groups: whatever comes while a write is under way goes along with the next, so that a commit, which waits for
 * the disk, serves all of them. Nobody waits for company, and nobody is told before the commit.
 */
export const createGroupWriter = <Item>(write: (items: Item[]) => Promise<unknown>) => {
  let waiting: Waiting<Item>[] = [];
  let isWriting = false;

  const writeGroup = async (group: Waiting<Item>[]): Promise<void> => {
    try {
      await write(group.map(({ item }) => item));
      for (const { done } of group) done();
    } catch (error) {
      if (group.length === 1 || isDatabaseAway(error)) for (const { failed } of group) failed(error);
      // One of them cannot be written; the others are none the worse for it.
      else for (const each of group) await writeGroup([each]);
    }
  };

  const writeAll = async (): Promise<void> => {
    isWriting = true;
    while (waiting.length > 0) {
      const group = waiting.slice(0, largestGroup);
      waiting = waiting.slice(largestGroup);
      await writeGroup(group);
    }
    isWriting = false;
  };

  return (item: Item): Promise<void> =>
    new Promise((done, failed) => {
      waiting.push({ item, done, failed });
      if (!isWriting) void writeAll();
    });
};
