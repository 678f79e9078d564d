import { z } from 'zod';
import { signedIn } from '../access.ts';
import { call } from '../call.ts';
import { path } from '../paths.ts';

/** The URLs of the report page and the designer page; empty if not configured. */
const EmbeddedPages = z.object({ report_url: z.string(), designer_url: z.string() });

export const getEmbeddedPages = call({
  method: 'GET',
  path: path('/server/embedded', {}),
  summary: 'The addresses of the pages that are shown within the console.',
  access: signedIn,
  answer: EmbeddedPages,
});
