import { csvLine } from '@opensocial/contract';

/** Reads comma- or semicolon-separated values as spreadsheets write them: quoted fields may contain anything. */
export const parseCsv = (text: string): string[][] => {
  const plain = text.replace(/^\uFEFF/, '');
  const delimiter = delimiterOf(plain);
  const rows: string[][] = [];
  let row: string[] = [];
  let field = '';
  let isQuoted = false;
  const endField = () => {
    row.push(field);
    field = '';
  };
  const endRow = () => {
    endField();
    if (row.some((value) => value.trim() !== '')) rows.push(row);
    row = [];
  };
  for (let index = 0; index < plain.length; index += 1) {
    const character = plain[index] ?? '';
    if (isQuoted) {
      if (character !== '"') field += character;
      else if (plain[index + 1] === '"') {
        field += '"';
        index += 1;
      } else isQuoted = false;
    } else if (character === '"' && field === '') isQuoted = true;
    else if (character === delimiter) endField();
    else if (character === '\n') endRow();
    else if (character !== '\r') field += character;
  }
  endRow();
  return rows;
};

/** The separator that occurs more often in the first line. */
const delimiterOf = (text: string): string => {
  const [first = ''] = text.split('\n', 1);
  const count = (character: string) => first.split(character).length;
  return count(';') > count(',') ? ';' : ',';
};

export const writeCsv = (rows: readonly (readonly string[])[]): string => `\uFEFF${rows.map(csvLine).join('')}`;
