type Ending = () => unknown;

const endings: Ending[] = [];

/** Something to clear away after the tests of the file: what came last goes first. */
export const afterFile = (ending: Ending): void => void endings.push(ending);

export const clearAway = async (): Promise<void> => {
  for (let ending = endings.pop(); ending; ending = endings.pop()) await ending();
};
