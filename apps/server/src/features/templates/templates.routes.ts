import {
  ApiError,
  getTemplates,
  largestMarkup,
  markupTooLarge,
  type SavedTemplate,
  sendTestMail,
  type TemplateKind,
  updateTemplate,
} from '@opensocial/contract';
import { sampleValues } from '@opensocial/contract/mail';
import { actorOf } from '../../http/actor.ts';
import type { Bind } from '../../http/bind.ts';
import { takeTry } from '../../http/throttle.ts';
import { readMailMarkup } from '../../mail/mail-markup.ts';
import { canSendMail } from '../../mail/mailer.ts';
import { message } from '../../mail/messages.ts';
import { writeHtml } from '../../markup/html.ts';
import type { Parts } from '../../parts.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { findTemplate, saveTemplate } from './templates.queries.ts';
import { findTemplateProblems, readTemplateFields, reportTemplate, templateFault } from './templates.service.ts';

/** A test every half a minute or so, and a handful at once. */
const testAllowance = { limit: 10, forgottenEachMinute: 2 };

export const templateRoutes = (bind: Bind, parts: Parts): void => {
  const { db, config, jobs } = parts;
  const told = { delivery: canSendMail(config) ? ('smtp' as const) : ('outbox' as const), origin: config.publicUrl };

  bind(getTemplates, async ({ network }) => ({
    ...(await readTemplateFields(db, network.id)),
    problems: await findTemplateProblems(db, network.id, config.publicUrl),
    ...told,
  }));

  bind(updateTemplate, async ({ body, ...by }) => {
    const { network } = by;
    if (body.server !== network.name) throw new ApiError('not_found');
    const { columns, ...notes } =
      'saved' in body ? prepare(body.saved, body.kind, config.publicUrl) : switched(body.inUse);
    await db.transaction(async (tx) => {
      const before = await findTemplate(tx, network.id, body.kind);
      await saveTemplate(tx, network.id, body.kind, columns);
      const isSwitch = 'in_use' in columns;
      await recordAudit(tx, {
        ...actorOf(by),
        action: 'update',
        subject: `email template ${body.kind}`,
        old_data: isSwitch ? { in_use: before?.in_use ?? false } : { html: before?.html ?? null },
        new_data: isSwitch ? columns : { html: columns.html },
      });
      await reportTemplate(tx, parts, network, body.kind);
    });
    return { message: 'Your request successfully updated', ...notes };
  });

  bind(sendTestMail, async ({ body: { kind, template }, network, user }) => {
    const { blockedFor } = await takeTry(db, `template-test:${user.id}`, testAllowance);
    if (blockedFor > 0) throw new ApiError('too_many', { retryAfter: blockedFor });
    const { columns } = prepare(template, kind, config.publicUrl);
    const values = { ...sampleValues(config.publicUrl, network.name), user_name: user.fullname, email: user.email };
    const mail = message(kind, values, columns.html);
    await jobs.sendMail(db, { ...mail, to: user.email, subject: `Test: ${mail.subject}` });
    return { message: `A test is on its way to ${user.email}.` };
  });
};

/**
 * What is kept of a template: the markup as it may be sent, and what its author ought to know. The markup is checked a second
 * time as it will be stored, because removing an element can join the text on both sides of it into a tag.
 */
const prepare = ({ design, html }: SavedTemplate, kind: TemplateKind, origin: string) => {
  assertSize(html);
  const { tree, unknownTags, leftOut } = readMailMarkup(html, kind, origin);
  const kept = writeHtml(tree);
  assertSize(kept);
  const fault = templateFault(kept, kind, origin);
  if (fault !== undefined) throw new ApiError('template_refused', { message: fault });
  return { columns: { design, html: kept, refused_at: null }, unknown_tags: unknownTags, left_out: leftOut };
};

const assertSize = (html: string): void => {
  if (Buffer.byteLength(html) > largestMarkup) throw new ApiError('too_large', { message: markupTooLarge });
};

const switched = (inUse: boolean) => ({ columns: { in_use: inUse }, unknown_tags: [], left_out: 0 });
