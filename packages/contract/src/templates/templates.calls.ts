import { z } from 'zod';
import { networkAdmin } from '../access.ts';
import { call } from '../call.ts';
import { Done, Id, NamedNetwork } from '../fields.ts';
import { path } from '../paths.ts';
import {
  largestTemplate,
  TemplateChange,
  TemplateFields,
  TemplateKind,
  TemplateText,
  TemplateVersion,
} from './templates.schemas.ts';

export const getTemplates = call({
  method: 'GET',
  path: path('/server/sso/templates/:server', { server: NamedNetwork }),
  summary: 'The email templates of a network, whether each is in use, and whether mail is sent or kept in the outbox.',
  access: networkAdmin({ server: 'name' }),
  /** `origin` is ours: links and images in mail are on it. */
  answer: TemplateFields.extend({
    delivery: z.enum(['smtp', 'outbox']),
    origin: z.string(),
    /** Why a saved template is not sent, for each that is not: our own text is sent in its place. */
    problems: z.partialRecord(TemplateKind, z.string()),
  }),
});

export const updateTemplate = call({
  method: 'PUT',
  path: path('/server/sso/update_template/:server', { server: NamedNetwork }),
  summary: 'Save one email template, or say whether one is used. The markup is cut down to what is good in a mail.',
  access: networkAdmin({ server: 'name' }),
  body: TemplateChange,
  maxBody: largestTemplate,
  answer: Done.extend({
    /** Tags that are sent as they stand, since nobody knows them. */
    unknown_tags: z.array(z.string()),
    /** How many images were left out because they are not of the media library. */
    left_out: z.int(),
  }),
});

export const sendTestMail = call({
  method: 'POST',
  path: path('/server/sso/templates/test/:server', { server: NamedNetwork }),
  summary: 'Send a template, saved or not, to your own address with sample values.',
  access: networkAdmin({ server: 'name' }),
  body: z.strictObject({ kind: TemplateKind, template: TemplateText }),
  maxBody: largestTemplate,
  answer: Done,
});

export const getTemplateVersions = call({
  method: 'GET',
  path: path('/server/sso/template_versions/:server/:kind', { server: NamedNetwork, kind: TemplateKind }),
  summary: 'The kept versions of one email template, newest first; the first is the one that is saved.',
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
