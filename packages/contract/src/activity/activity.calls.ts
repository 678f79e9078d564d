import { z } from 'zod';
import { inSession, networkMember } from '../access.ts';
import { call } from '../call.ts';
import { DateRange, Id, InZone, Moment, NamedNetwork } from '../fields.ts';
import { Counted, Keyword, sortedBy } from '../paging.ts';
import { listPath, path } from '../paths.ts';
import { LineDetails, LoginStatus, LogLine, LogPage } from './activity.schemas.ts';

/** A number is the id of a site; other text is a part of the domain. */
const SiteText = z.string().trim().min(1).max(253);

/** What the path of the specification has no place for. */
const Filters = InZone.extend({
  /** The reason of failures, as the overview counts them: without the code that follows a colon. */
  reason: z.string().trim().min(1).max(100).optional(),
  /** Only lines since this moment. */
  since: Moment.optional(),
});

const filters = { filter: LoginStatus, site: SiteText, time: DateRange };

/** Members who do not own the network see only their own lines; the handlers enforce this. */
const access = networkMember({ server: 'name' });

export const listActivity = call({
  method: 'GET',
  path: listPath('/server/sso/activity/:server', filters, '/:lastid', { server: NamedNetwork }),
  summary:
    "The login log of a network, newest first, or by site and then newest first. A user who does not own it sees their own lines. 'site' is a site's id or a part of its domain, 'reason' the reason of failures without a code after a colon, as the overview counts them. Days are those of the time zone 'zone', by default UTC.",
  access,
  query: sortedBy('site').extend({ ...Filters.shape, ...Counted.shape }),
  answer: LogPage,
});

export const getActivityLine = call({
  method: 'GET',
  path: path('/server/sso/activity_line/:server/:id', { server: NamedNetwork, id: Id }),
  summary: 'One line of the login log with its details.',
  // It says whether the line is of this session.
  access: inSession(access),
  answer: LineDetails,
});

export const exportActivity = call({
  method: 'GET',
  path: listPath('/server/sso/activity_export/:server', filters, '/csv', { server: NamedNetwork }),
  summary: 'The same lines as a file of comma-separated values.',
  access,
  query: Filters,
  download: 'text/csv',
  answer: z.string(),
});

export const getLogRetention = call({
  method: 'GET',
  path: path('/server/sso/activity_retention/:server', { server: NamedNetwork }),
  summary: 'For how many days the login log is kept; 0 means forever.',
  access,
  answer: z.object({ days: z.int().min(0) }),
});

export const followActivity = call({
  method: 'GET',
  path: path('/server/sso/activity_live/:server', { server: NamedNetwork }),
  summary:
    'New lines of the login log as server-sent events. The stream begins with the lines of the last 30 seconds, so that no line is missed between two requests.',
  access,
  query: Filters.extend({
    filter: LoginStatus.optional(),
    site: SiteText.optional(),
    time: DateRange.optional(),
    keyword: Keyword.optional(),
  }),
  stream: true,
  answer: z.array(LogLine),
});
