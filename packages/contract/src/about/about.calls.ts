import { z } from 'zod';
import { signedIn } from '../access.ts';
import { call } from '../call.ts';
import { path } from '../paths.ts';

const About = z.object({ version: z.string() });

export const getAbout = call({
  method: 'GET',
  path: path('/server/about', {}),
  summary: 'The version of this program. Only people who have signed in learn it.',
  access: signedIn,
  answer: About,
});
