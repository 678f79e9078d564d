/** Spreadsheets interpret a cell that begins with one of these characters as a formula. */
const isFormula = (value: string): boolean => /^[=+\-@\t\r]/.test(value);

const csvField = (value: string): string => {
  const safe = isFormula(value) ? `'${value}` : value;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** One line of a file of comma-separated values, safe to open in a spreadsheet. */
export const csvLine = (values: readonly string[]): string => `${values.map(csvField).join(',')}\r\n`;
