import { Readable } from 'node:stream';

type FilePart = { name: string; bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array> };

/** A multipart form as a browser sends it, in the order given, with files that are generated while they are sent. */
export const makeForm = (parts: [name: string, value: string | FilePart][]) => {
  const boundary = '----form-of-a-test';
  const write = async function* () {
    for (const [name, value] of parts) {
      const isText = typeof value === 'string';
      const file = isText ? '' : `; filename="${value.name}"\r\ncontent-type: application/octet-stream`;
      yield Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n`);
      if (isText) yield Buffer.from(value);
      else yield* value.bytes;
      yield Buffer.from('\r\n');
    }
    yield Buffer.from(`--${boundary}--\r\n`);
  };
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Readable.from(write(), { objectMode: false }),
  };
};

/** Megabytes of data that begin like a PNG. */
export const megabytes = function* (count: number): Generator<Uint8Array> {
  const megabyte = Buffer.alloc(1024 * 1024, 'x');
  const first = Buffer.from(megabyte);
  first.write('\x89PNG\r\n\x1a\n', 'latin1');
  for (let sent = 0; sent < count; sent += 1) yield sent === 0 ? first : megabyte;
};
