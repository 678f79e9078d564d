/** Runs asynchronous tasks one at a time, in the order of the calls. */
export const createSerialQueue = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = last.then(work, work);
    last = done.catch(() => undefined);
    return done;
  };
};
