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
    /** Whether there can be any: they are bound to a name, reached by https. */
    possible: z.boolean(),
  }),
});

export const beginPasskey = call({
  method: 'POST',
  path: path('/server/sso/passkeys/options', {}),
  summary: 'What your browser makes a passkey with, within ten minutes. Needs a sign-in of the last ten minutes.',
  access: signedIn,
  answer: PasskeyOptions,
});

export const createPasskey = call({
  method: 'POST',
  path: path('/server/sso/passkeys', {}),
  summary: 'Add the passkey that your browser has made. Answers recovery codes, this once, where you have none.',
  access: signedIn,
  body: PasskeyChanges.extend({ passkey: NewPasskey }),
  answer: RecoveryCodes,
});

export const renamePasskey = call({
  method: 'PUT',
  path: path('/server/sso/passkeys/:id', { id: Id }),
  summary: 'Name one of your passkeys anew.',
  access: signedIn,
  body: PasskeyChanges,
  answer: Done,
});

export const removePasskey = call({
  method: 'DELETE',
  path: path('/server/sso/passkeys/:id', { id: Id }),
  summary: 'Take one of your passkeys away. Needs a sign-in of the last ten minutes.',
  access: signedIn,
  answer: Done,
});
