type Ending = () => unknown;

const endings: Ending[] = [];

/** Registers clean-up after the tests of the file. It runs in reverse order. */
export const afterFile = (ending: Ending): void => void endings.push(ending);

export const clearAway = async (): Promise<void> => {
  for (let ending = endings.pop(); ending; ending = endings.pop()) await ending();
};
