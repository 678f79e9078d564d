import { z } from 'zod';
import { anyone } from '../access.ts';
import { call } from '../call.ts';
import { NamedNetwork } from '../fields.ts';
import { path } from '../paths.ts';
import { Activation, ActivationLink, PasswordPolicy } from './activation.schemas.ts';

export const verifyToken = call({
  method: 'POST',
  path: path('/prxy/api/user/verify_token', {}),
  summary:
    'Check an emailed link without using it up. `server` is the network whose password rules and legal links apply, `purpose` the reason for the link.',
  access: anyone,
  body: ActivationLink,
  answer: z.object({
    message: z.string(),
    server: z.string(),
    purpose: z.enum(['activation', 'reset']),
    /** Legal links of that network; an empty string if there is none. */
    terms_of_use: z.string(),
    privacy_statement: z.string(),
  }),
});

export const getActivationPolicy = call({
  method: 'GET',
  path: path('/prxy/api/password_regex', {}),
  summary: 'The password rules of a network, or of the main network if none is given.',
  access: anyone,
  query: z.strictObject({ server: NamedNetwork.optional() }),
  answer: PasswordPolicy,
});

export const confirmSignup = call({
  method: 'POST',
  path: path('/prxy/api/user/confirm_user_signup', {}),
  summary: 'Set the first password and confirm the account, or set a new one. The link works once.',
  access: anyone,
  body: Activation,
  answer: z.object({ message: z.string() }),
});
