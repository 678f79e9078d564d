import { inSession, mainAdmin, networkAdmin } from '../access.ts';
import { call } from '../call.ts';
import { NamedNetwork } from '../fields.ts';
import { path } from '../paths.ts';
import { BackupConfirmation, GettingStarted, GettingStartedChanges, TestMail } from './getting-started.schemas.ts';

const listPath = path('/server/sso/getting_started/:server', { server: NamedNetwork });
const access = inSession(networkAdmin({ server: 'name' }));

export const getGettingStarted = call({
  method: 'GET',
  path: listPath,
  summary: 'The first steps of a network, and which of them are done.',
  access,
  answer: GettingStarted,
});

export const changeGettingStarted = call({
  method: 'PUT',
  path: listPath,
  summary: 'Hide or show the first steps of a network.',
  access,
  body: GettingStartedChanges,
  answer: GettingStarted,
});

/** The following calls concern the whole installation. */

export const confirmBackups = call({
  method: 'PUT',
  path: path('/server/sso/installation/backups', {}),
  summary: 'Say whether backups of the installation are made.',
  access: inSession(mainAdmin),
  body: BackupConfirmation,
  answer: BackupConfirmation,
});

export const testMailServer = call({
  method: 'POST',
  path: path('/server/sso/installation/test_mail', {}),
  summary: 'Send an email to yourself, to see whether the mail server works.',
  access: inSession(mainAdmin),
  answer: TestMail,
});
