import { z } from 'zod';
import { self } from '../access.ts';
import { call } from '../call.ts';
import { Done, Id, NamedUser } from '../fields.ts';
import { path } from '../paths.ts';
import { MailMfaProgress, MfaSecret, MfaStatus, RecoveryCodes, TokenProof } from './mfa.schemas.ts';

const Username = { username: NamedUser };
const OwnEmail = z.strictObject({ email: NamedUser });
const OwnAccount = z.strictObject({ id: Id, email: NamedUser });

export const getMfaStatus = call({
  method: 'GET',
  path: path('/server/sso/mfa_status/:username', Username),
  summary: 'Whether your authenticator app is set up.',
  access: self({ username: 'email' }),
  answer: MfaStatus,
});

export const getMfaSecret = call({
  method: 'GET',
  path: path('/server/sso/getqrq/:username', Username),
  summary:
    'A new secret for your authenticator app. It takes effect once you submit a code for it, within ten minutes.',
  access: self({ username: 'email' }),
  changesState: true,
  answer: MfaSecret,
});

export const submitToken = call({
  method: 'POST',
  path: path('/server/sso/submit_token', {}),
  summary:
    'Confirm the shown secret with a code and activate it. The answer contains recovery codes, only this once; FALSE if the code is wrong.',
  access: self({ email: 'email' }),
  body: TokenProof,
  answer: z.union([z.literal('FALSE'), RecoveryCodes]),
});

export const removeMfa = call({
  method: 'POST',
  path: path('/server/sso/remove_mfa', {}),
  summary: 'Remove your authenticator app. Needs a code from it.',
  access: self({ email: 'email' }),
  body: z.strictObject({ token: z.string().max(100), email: NamedUser }),
  answer: Done,
});

export const resetMfa = call({
  method: 'POST',
  path: path('/server/sso/reset_mfa', {}),
  summary: 'Remove your authenticator app without a code. Needs a sign-in of the last ten minutes.',
  access: self({ email: 'email' }),
  body: OwnEmail,
  answer: Done,
});

export const createRecoveryCodes = call({
  method: 'POST',
  path: path('/server/sso/recovery_codes', {}),
  summary: 'Replace your recovery codes with new ones. Needs a sign-in of the last ten minutes.',
  access: self({ email: 'email' }),
  body: OwnEmail,
  answer: RecoveryCodes,
});

export const enableMailMfa = call({
  method: 'POST',
  path: path('/server/sso/user/enable_mail_mfa', {}),
  summary:
    'Turn on codes by email at every sign-in. Without `code` a code is emailed; with it, the change is made. Needs a sign-in of the last ten minutes.',
  access: self({ id: 'id', email: 'email' }),
  body: OwnAccount.extend({ code: z.string().max(100).optional() }),
  answer: MailMfaProgress,
});

export const disableMailMfa = call({
  method: 'POST',
  path: path('/server/sso/user/disable_mail_mfa', {}),
  summary: 'Turn off codes by email. Needs a sign-in of the last ten minutes.',
  access: self({ id: 'id', email: 'email' }),
  body: OwnAccount,
  answer: Done,
});
