import { z } from 'zod';
import { signedIn } from '../access.ts';
import { call } from '../call.ts';
import { Done, Id } from '../fields.ts';
import { RecoveryCodes } from '../mfa/mfa.schemas.ts';
import { path } from '../paths.ts';
import { NewPasskey, Passkey, PasskeyChanges, PasskeyOptions } from './passkeys.schemas.ts';

export const listPasskeys = call({
  method: 'GET',
  path: path('/server/sso/passkeys', {}),
  summary: 'Your passkeys, the oldest first.',
  access: signedIn,
  answer: z.object({
    passkeys: z.array(Passkey),
    /** Whether passkeys can be used: they require https and a host name. */
    possible: z.boolean(),
  }),
});

export const beginPasskey = call({
  method: 'POST',
  path: path('/server/sso/passkeys/options', {}),
  summary:
    'The options for creating a passkey in your browser, valid for ten minutes. Needs a sign-in of the last ten minutes.',
  access: signedIn,
  answer: PasskeyOptions,
});

export const createPasskey = call({
  method: 'POST',
  path: path('/server/sso/passkeys', {}),
  summary:
    'Add the passkey that your browser has created. The answer contains recovery codes, only this once, if you have none.',
  access: signedIn,
  body: PasskeyChanges.extend({ passkey: NewPasskey }),
  answer: RecoveryCodes,
});

export const renamePasskey = call({
  method: 'PUT',
  path: path('/server/sso/passkeys/:id', { id: Id }),
  summary: 'Rename one of your passkeys.',
  access: signedIn,
  body: PasskeyChanges,
  answer: Done,
});

export const removePasskey = call({
  method: 'DELETE',
  path: path('/server/sso/passkeys/:id', { id: Id }),
  summary: 'Remove one of your passkeys. Needs a sign-in of the last ten minutes.',
  access: signedIn,
  answer: Done,
});
