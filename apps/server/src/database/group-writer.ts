import { isDatabaseAway } from './connect.ts';

const maximumGroupSize = 200;

type Waiting<Item> = { item: Item; done: () => void; failed: (error: unknown) => void };

/**
 * Group commit: items that arrive during a write go into the next one, so that one commit, which waits for the disk,
 * serves all of them. An item never waits for others to arrive, and its promise resolves only after the commit.
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
      // One of the items cannot be written. The others are written one by one.
      else for (const each of group) await writeGroup([each]);
    }
  };

  const writeAll = async (): Promise<void> => {
    isWriting = true;
    while (waiting.length > 0) {
      const group = waiting.slice(0, maximumGroupSize);
      waiting = waiting.slice(maximumGroupSize);
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
