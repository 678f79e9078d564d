import { z } from 'zod';
import { inSession, networkAdmin } from '../access.ts';
import { call } from '../call.ts';
import { Done, Id, NamedNetwork } from '../fields.ts';
import { path } from '../paths.ts';
import {
  maximumTemplateBytes,
  TemplateChange,
  TemplateFields,
  TemplateKind,
  TemplateText,
  TemplateVersion,
} from './templates.schemas.ts';

export const getTemplates = call({
  method: 'GET',
  path: path('/server/sso/templates/:server', { server: NamedNetwork }),
  summary: 'The email templates of a network, whether each is in use, and whether email is sent or kept in the outbox.',
  access: networkAdmin({ server: 'name' }),
  /** `origin` is our own origin, for links and images in mails. */
  answer: TemplateFields.extend({
    delivery: z.enum(['smtp', 'outbox']),
    origin: z.string(),
    /** Saved templates that cannot be sent, and the reason. The default text is sent instead. */
    problems: z.partialRecord(TemplateKind, z.string()),
  }),
});

export const updateTemplate = call({
  method: 'PUT',
  path: path('/server/sso/update_template/:server', { server: NamedNetwork }),
  summary: 'Save one email template, or switch one on or off. The markup is reduced to what emails may contain.',
  access: networkAdmin({ server: 'name' }),
  body: TemplateChange,
  maxBody: maximumTemplateBytes,
  answer: Done.extend({
    /** Unknown tags, which are sent unchanged. */
    unknown_tags: z.array(z.string()),
    /** The number of images that were left out because they are not in the media library. */
    left_out: z.int(),
  }),
});

export const sendTestMail = call({
  method: 'POST',
  path: path('/server/sso/templates/test/:server', { server: NamedNetwork }),
  summary: 'Send a template, saved or not, to your own address with sample values.',
  access: inSession(networkAdmin({ server: 'name' })),
  body: z.strictObject({ kind: TemplateKind, template: TemplateText }),
  maxBody: maximumTemplateBytes,
  answer: Done,
});

export const getTemplateVersions = call({
  method: 'GET',
  path: path('/server/sso/template_versions/:server/:kind', { server: NamedNetwork, kind: TemplateKind }),
  summary: 'The kept versions of one email template, newest first; the first is the current one.',
  access: networkAdmin({ server: 'name' }),
  answer: z.array(TemplateVersion),
});

export const getTemplateVersion = call({
  method: 'GET',
  path: path('/server/sso/template_version/:server/:id', { server: NamedNetwork, id: Id }),
  summary: 'One version of an email template, as JSON text of design, html and subject.',
  access: networkAdmin({ server: 'name' }),
  answer: z.object({ template: z.string() }),
});
