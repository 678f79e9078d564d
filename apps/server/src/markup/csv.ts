/** A spreadsheet takes a cell that begins so for a formula. */
const isFormula = (value: string): boolean => /^[=+\-@\t\r]/.test(value);

const csvField = (value: string): string => {
  const safe = isFormula(value) ? `'${value}` : value;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export const csvLine = (values: readonly string[]): string => `${values.map(csvField).join(',')}\r\n`;
