import { writeFile } from 'node:fs/promises';

/** A string, a map and a number in the MaxMind database format; each shorter than 29. */
const text = (value: string): Buffer => Buffer.concat([Buffer.from([0x40 | value.length]), Buffer.from(value)]);
const map = (entries: Record<string, Buffer>): Buffer =>
  Buffer.concat([
    Buffer.from([0xe0 | Object.keys(entries).length]),
    ...Object.entries(entries).flatMap(([key, value]) => [text(key), value]),
  ]);
const number = (value: number): Buffer => Buffer.from([0xa2, value >> 8, value & 0xff]);
const list = Buffer.from([0x00, 0x04]);

const record = (value: number): Buffer => Buffer.from([value >> 16, value >> 8, value]);

/** A valid database with a single bit of every address: 0 is Norway, 1 is unknown. */
export const writeCountryDatabase = (path: string): Promise<void> => {
  const nodes = 1;
  const norway = map({ country: map({ iso_code: text('NO'), names: map({ en: text('Norway') }) }) });
  const facts = map({
    binary_format_major_version: number(2),
    binary_format_minor_version: number(0),
    build_epoch: number(1),
    database_type: text('Test-Country'),
    description: map({}),
    ip_version: number(4),
    languages: list,
    node_count: number(nodes),
    record_size: number(24),
  });
  const separator = 16;
  const tree = Buffer.concat([record(nodes + separator), record(nodes)]);
  return writeFile(
    path,
    Buffer.concat([tree, Buffer.alloc(separator), norway, Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'), facts]),
  );
};
