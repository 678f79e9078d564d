import { appendFileSync } from 'node:fs';

/** Adds a line to the table that `npm run soak` prints at its end. */
export const reportFigure = (name: string, measured: string, goal: string): void => {
  const table = process.env['SOAK'];
  if (table) appendFileSync(table, `${name}: ${measured} / ${goal}\n`);
};
