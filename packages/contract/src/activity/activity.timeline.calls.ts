import { z } from 'zod';
import { networkAdmin } from '../access.ts';
import { call } from '../call.ts';
import { Id } from '../fields.ts';
import { path } from '../paths.ts';
import { Timeline, TimelineCursor, TimelineKind } from './activity.timeline.schemas.ts';

export const getUserTimeline = call({
  method: 'GET',
  path: path('/server/sso/user/timeline/:user_id/:server_id', { user_id: Id, server_id: Id }),
  summary:
    'What happened to a user in this network, newest first: sign-ins, emails, and changes by owners or by the user. It includes sign-ins to the console if this is the home network of the user.',
  access: networkAdmin({ user_id: 'member', server_id: 'id' }),
  query: z.object({ kind: TimelineKind.optional(), after: TimelineCursor.optional() }),
  answer: Timeline,
});
