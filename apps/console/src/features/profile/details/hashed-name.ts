/** §7.8: a SHA-256 hash of name, file name and a timestamp, plus the extension. */
export const hashedName = async (name: string, fileName: string, now = Date.now()): Promise<string> => {
  const extension = /\.\w{1,5}$/.exec(fileName)?.[0].toLowerCase() ?? '';
  return `${await hashOf(`${name}${fileName}${now}`)}${extension}`;
};

/** Pages over plain http have no `crypto.subtle`, except on localhost. A random name is used there. */
const hashOf = async (text: string): Promise<string> => {
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- the types assume a secure context
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  const bytes = subtle
    ? new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(text)))
    : crypto.getRandomValues(new Uint8Array(32));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
};
