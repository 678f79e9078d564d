/** A row of the table: what was measured, against what, and the goal if there is one. */
export type Result = {
  what: string;
  measured: string;
  against?: string;
  ratio?: number;
  goal?: string;
  isMet?: boolean;
};

const columns = ['what', 'measured', 'against', 'ratio', 'goal', ''] as const;

const toCells = ({ what, measured, against = '', ratio, goal = '', isMet }: Result): string[] => [
  what,
  measured,
  against,
  ratio === undefined ? '' : ratio.toFixed(2),
  goal,
  isMet === undefined ? '' : isMet ? 'met' : 'missed',
];

/** Prints Markdown that can be copied into the documentation. */
export const printTable = (results: readonly Result[]): void => {
  const rows = [[...columns], ...results.map(toCells)];
  const widths = columns.map((_, place) => Math.max(3, ...rows.map((row) => (row[place] ?? '').length)));
  const line = (cells: string[]) => `| ${cells.map((cell, place) => cell.padEnd(widths[place] ?? 0)).join(' | ')} |`;
  console.log(
    [line(rows[0] ?? []), line(widths.map((width) => '-'.repeat(width))), ...rows.slice(1).map(line)].join('\n'),
  );
};

export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * share)] ?? 0;
