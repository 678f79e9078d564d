const maximumGroupSize = 200;

type Waiting<Question, Answer> = {
  question: Question;
  answered: (answer: Answer | undefined) => void;
  failed: (error: unknown) => void;
};

/**
 * Combines questions that are asked in the same turn of the event loop into one query. A busy server finds many
 * requests per turn; an idle one asks immediately, so batching adds no delay. `read` must return the answers in the
 * order of the questions.
 */
export const createGroupReader = <Question, Answer>(
  read: (questions: Question[]) => Promise<(Answer | undefined)[]>,
) => {
  let waiting: Waiting<Question, Answer>[] = [];

  const readGroup = async (group: Waiting<Question, Answer>[]): Promise<void> => {
    try {
      const answers = await read(group.map(({ question }) => question));
      for (const [at, { answered }] of group.entries()) answered(answers[at]);
    } catch (error) {
      for (const { failed } of group) failed(error);
    }
  };

  const readAll = (): void => {
    const all = waiting;
    waiting = [];
    for (let at = 0; at < all.length; at += maximumGroupSize) void readGroup(all.slice(at, at + maximumGroupSize));
  };

  return (question: Question): Promise<Answer | undefined> =>
    new Promise((answered, failed) => {
      if (waiting.length === 0) setImmediate(readAll);
      waiting.push({ question, answered, failed });
    });
};
