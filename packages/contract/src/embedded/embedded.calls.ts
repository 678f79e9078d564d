import { z } from 'zod';
import { signedIn } from '../access.ts';
import { call } from '../call.ts';
import { path } from '../paths.ts';

/** Where the report and the designer page are; empty where none is set. */
const EmbeddedPages = z.object({ report_url: z.string(), designer_url: z.string() });

export const getEmbeddedPages = call({
  method: 'GET',
  path: path('/server/embedded', {}),
  summary: 'The addresses of the pages that are shown within the console.',
  access: signedIn,
  answer: EmbeddedPages,
});
