import { z } from 'zod';
import { anyone, self, signedIn } from '../access.ts';
import { call } from '../call.ts';
import { Id, NamedNetwork } from '../fields.ts';
import { path } from '../paths.ts';
import { Session } from './session.schemas.ts';

export const getSession = call({
  method: 'GET',
  path: path('/server/getsession', {}),
  summary: "The signed-in user, or 'no session'.",
  access: anyone,
  answer: Session,
});

export const updateSession = call({
  method: 'POST',
  path: path('/server/update_session', {}),
  summary: 'Use an uploaded picture as the profile picture.',
  access: signedIn,
  body: z.strictObject({ picture: z.string().min(1).max(500) }),
  answer: Session,
});

export const setSelected = call({
  method: 'PUT',
  path: path('/server/set_selected/:userId', { userId: Id }),
  summary: 'Select a network for this session.',
  access: self({ userId: 'id' }),
  body: z.strictObject({ selected_server: NamedNetwork, selected_id: Id }),
  answer: Session,
});

export const setDefault = call({
  method: 'PUT',
  path: path('/server/set_default/:userId', { userId: Id }),
  summary: 'Make a network the default one, and select it.',
  access: self({ userId: 'id' }),
  body: z.strictObject({ default_server: NamedNetwork, server_id: Id, selected_server: NamedNetwork, selected_id: Id }),
  answer: Session,
});
