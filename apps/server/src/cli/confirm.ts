import { createInterface } from 'node:readline/promises';

/** Asks for a word that has to be typed, because the consequences cannot be undone. Without a terminal or input, the answer is no. */
export const confirm = async (consequences: string, word: string): Promise<boolean> => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new Promise<string>((resolve) => {
    terminal.once('close', () => resolve(''));
  });
  const typed = await Promise.race([terminal.question(`${consequences} Type ${word} to continue: `), ended]);
  terminal.close();
  return typed.trim() === word;
};
