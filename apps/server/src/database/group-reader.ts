const largestGroup = 200;

type Waiting<Question, Answer> = {
  question: Question;
  answered: (answer: Answer | undefined) => void;
  failed: (error: unknown) => void;
};

/**
 * Asks together what is asked in the same turn of the event loop. A server that is busy, with signatures above all, finds
 * many requests at once when it looks; one that is idle asks at once, and nobody waits for an answer to somebody else.
 * Answers come in the order of their questions.
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
    for (let at = 0; at < all.length; at += largestGroup) void readGroup(all.slice(at, at + largestGroup));
  };

  return (question: Question): Promise<Answer | undefined> =>
    new Promise((answered, failed) => {
      if (waiting.length === 0) setImmediate(readAll);
      waiting.push({ question, answered, failed });
    });
};
