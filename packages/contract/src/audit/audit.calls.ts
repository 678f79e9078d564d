import { z } from 'zod';
import { anyone, networkAdmin, selectedAdmin } from '../access.ts';
import { call } from '../call.ts';
import { DateRange, Done, Id, InZone, NamedNetwork } from '../fields.ts';
import { Counted } from '../paging.ts';
import { listPath, path } from '../paths.ts';
import { AuditClaim, AuditDetails, AuditObject, AuditPage } from './audit.schemas.ts';

export const recordAuditClaim = call({
  method: 'POST',
  path: path('/server/audit', {}),
  summary: "Store the console's own description of a change beside the server's audit record.",
  access: selectedAdmin,
  body: AuditClaim,
  maxBody: 2_048,
  answer: Done,
});

export const getAddress = call({
  method: 'GET',
  path: path('/server/ip', {}),
  summary: 'The address that a request comes from.',
  access: anyone,
  answer: z.object({ ip: z.string() }),
});

export const revertChange = call({
  method: 'POST',
  path: path('/server/sso/audit_record/:server/:id/revert', { server: NamedNetwork, id: Id }),
  summary:
    'Undo a change with the checks of a normal save, if nothing that it has changed was changed again. Rules for signing in need a fresh sign-in.',
  access: networkAdmin({ server: 'name' }),
  answer: Done,
});

/** A part of the email address of the person who made the change. */
const Person = z.string().trim().min(1).max(254);

const filters = { object: AuditObject, person: Person, time: DateRange };

export const listAudit = call({
  method: 'GET',
  path: listPath('/server/sso/audit/:server', filters, '/:lastid', { server: NamedNetwork }),
  summary:
    "Who changed what in a network, newest first. 'person' is a part of the email address of the person who made the change. Days are those of the time zone 'zone', by default UTC.",
  access: networkAdmin({ server: 'name' }),
  query: InZone.extend(Counted.shape),
  answer: AuditPage,
});

export const exportAudit = call({
  method: 'GET',
  path: listPath('/server/sso/audit_export/:server', filters, '/csv', { server: NamedNetwork }),
  summary:
    "The same changes as a file of comma-separated values, each as a sentence and with its values in the words of the screens. 'description', 'before' and 'after' are as they are stored, the values as JSON, for programs.",
  access: networkAdmin({ server: 'name' }),
  query: InZone,
  download: 'text/csv',
  answer: z.string(),
});

export const getAuditRecord = call({
  method: 'GET',
  path: path('/server/sso/audit_record/:server/:id', { server: NamedNetwork, id: Id }),
  summary: 'One change, with the values before and after it.',
  access: networkAdmin({ server: 'name' }),
  answer: AuditDetails,
});
