import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';

export type Letter = { to: string[]; subject: string; text: string; html: string };

/** Reads the folder where a server without SMTP keeps its mail; each letter once. */
export const openOutbox = (dataDir: string) => {
  const folder = join(dataDir, 'outbox');
  const letters = new Map<string, Letter>();
  return async (to: string): Promise<Letter[]> => {
    const names: string[] = await readdir(folder).catch(() => []);
    for (const name of names.toSorted()) {
      if (!name.endsWith('.eml') || letters.has(name)) continue;
      const {
        to: recipients = [],
        cc = [],
        bcc = [],
        subject = '',
        text = '',
        html = '',
      } = await PostalMime.parse(await readFile(join(folder, name)));
      const addresses = [...recipients, ...cc, ...bcc].map(({ address = '' }) => address);
      letters.set(name, { to: addresses, subject, text, html });
    }
    return [...letters.values()].filter((letter) => letter.to.includes(to));
  };
};
