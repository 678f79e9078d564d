import {
  ApiError,
  getTemplates,
  getTemplateVersion,
  getTemplateVersions,
  markupTooLarge,
  maximumMarkupBytes,
  type SavedTemplate,
  sendTestMail,
  type TemplateKind,
  updateTemplate,
} from '@opensocial/contract';
import { isMergeTag, sampleValues, subjectFault, tagsIn } from '@opensocial/contract/mail';
import type { Transaction } from '../../database/connect.ts';
import { actorOf } from '../../http/actor.ts';
import type { Bind } from '../../http/bind.ts';
import { countAttempt } from '../../http/throttle.ts';
import { nameOfActor } from '../../identity/actor.ts';
import { imagesOf, readMailMarkup } from '../../mail/mail-markup.ts';
import { canSendMail } from '../../mail/mailer.ts';
import { message } from '../../mail/messages.ts';
import { writeHtml } from '../../markup/html.ts';
import type { Parts } from '../../parts.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { assertImagesOf } from '../media/media.service.ts';
import { findTemplate, findVersion, findVersions, insertVersion, saveTemplate } from './templates.queries.ts';
import {
  findTemplateProblems,
  readTemplateFields,
  reportTemplate,
  templateFault,
  textOf,
} from './templates.service.ts';

/** The limit of test mails: about one every half minute, and a small burst. */
const testAllowance = { limit: 10, decayPerMinute: 2 };

export const templateRoutes = (bind: Bind, parts: Parts): void => {
  const { db, config, jobs } = parts;
  const mailSettings = {
    delivery: canSendMail(config) ? ('smtp' as const) : ('outbox' as const),
    origin: config.publicUrl,
  };

  bind(getTemplates, async ({ network }) => ({
    ...(await readTemplateFields(db, network.id)),
    problems: await findTemplateProblems(db, network.id, config.publicUrl),
    ...mailSettings,
  }));

  bind(updateTemplate, async ({ body, ...caller }) => {
    const { network } = caller;
    if (body.server !== network.name) throw new ApiError('not_found');
    const { kind } = body;
    const { columns, ...notes } = 'saved' in body ? prepare(body.saved, kind, config.publicUrl) : switched(body.inUse);
    await db.transaction(async (tx) => {
      const before = await findTemplate(tx, network.id, kind);
      const isSwitch = 'in_use' in columns;
      if (!isSwitch) await assertLibrary(tx, network, columns, config.publicUrl);
      await saveTemplate(tx, network.id, kind, columns);
      const isNew = !isSwitch && (before?.html !== columns.html || before.subject !== columns.subject);
      if (isNew) {
        const { design, html, subject } = columns;
        await insertVersion(tx, {
          network_id: network.id,
          kind,
          design,
          html,
          subject,
          saved_by: nameOfActor(caller.actor),
        });
      }
      await recordAudit(tx, {
        ...actorOf(caller),
        action: 'update',
        object: 'template',
        subject: `email template ${kind}`,
        old_data: isSwitch
          ? { in_use: before?.in_use ?? false }
          : { html: before?.html ?? null, subject: before?.subject ?? null },
        new_data: isSwitch ? { in_use: columns.in_use } : { html: columns.html, subject: columns.subject },
      });
      await reportTemplate(tx, parts, network, kind);
    });
    return { message: 'Your request successfully updated', ...notes };
  });

  bind(getTemplateVersions, async ({ params: { kind }, network }) =>
    (await findVersions(db, network.id, kind)).map(({ saved_at, ...version }) => ({
      ...version,
      saved_at: saved_at.toISOString(),
    })),
  );

  bind(getTemplateVersion, async ({ params: { id }, network }) => {
    const version = await findVersion(db, network.id, id);
    if (!version) throw new ApiError('not_found');
    return { template: textOf(version) };
  });

  bind(sendTestMail, async ({ body: { kind, template }, network, user }) => {
    const { blockedFor } = await countAttempt(db, `template-test:${user.id}`, testAllowance);
    if (blockedFor > 0) throw new ApiError('too_many', { retryAfter: blockedFor });
    const { columns } = prepare(template, kind, config.publicUrl);
    const values = { ...sampleValues(config.publicUrl, network.name), user_name: user.fullname, email: user.email };
    await db.transaction((tx) => assertLibrary(tx, network, columns, config.publicUrl));
    const mail = message(kind, values, columns);
    await jobs.sendMail(db, { ...mail, to: user.email, subject: `Test: ${mail.subject}` });
    return { message: `A test is on its way to ${user.email}.` };
  });
};

/**
 * Prepares a template for storage: the markup as it may be sent, and notes for its author. The markup is checked a
 * second time in the form in which it is stored, because removing an element can join the text on both sides of it into
 * a tag.
 */
const prepare = ({ design, html, subject = '' }: SavedTemplate, kind: TemplateKind, origin: string) => {
  assertSize(html);
  assertDepth(design);
  const refusal = subjectFault(subject);
  if (refusal !== undefined) throw new ApiError('template_refused', { message: refusal });
  const { tree, unknownTags, leftOut } = readMailMarkup(html, kind, origin);
  const sanitized = writeHtml(tree);
  assertSize(sanitized);
  const fault = templateFault(sanitized, kind, origin);
  if (fault !== undefined) throw new ApiError('template_refused', { message: fault });
  const unknown = new Set([...unknownTags, ...tagsIn(subject).filter((tag) => !isMergeTag(tag))]);
  const columns = { design, html: sanitized, subject: subject || null, refused_at: null };
  return { columns, unknown_tags: [...unknown], left_out: leftOut };
};

/** A design has a few dozen levels. Its readers, including PostgreSQL, are recursive. */
const deepestLevel = 500;

/** Iterative, because the design may be too deep for recursion. */
const assertDepth = (design: unknown): void => {
  let level = [design];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepestLevel)
      throw new ApiError('template_refused', { message: 'The blocks of the design are nested too deeply.' });
    level = level.flatMap((value): unknown[] =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
};

/**
 * Refuses images that are not in the network's libraries, such as deleted ones, because they would be missing in every
 * mail.
 */
const assertLibrary = async (
  tx: Transaction,
  network: { id: number; name: string },
  template: { design: unknown; html: string },
  origin: string,
): Promise<void> => {
  const shown = imagesOf(template, origin);
  if (shown.some((image) => image.network !== undefined && image.network !== network.name)) throw missingImage();
  for (const kind of ['image', 'icon'] as const) {
    const names = shown.filter((image) => image.kind === kind).map(({ name }) => name);
    await assertImagesOf(tx, network.id, kind, names).catch((error: unknown) => {
      throw error instanceof ApiError ? missingImage() : error;
    });
  }
};

const missingImage = () =>
  new ApiError('template_refused', {
    message: 'This template contains an image that is not in the media library. Choose another image, or remove it.',
  });

const assertSize = (html: string): void => {
  if (Buffer.byteLength(html) > maximumMarkupBytes) throw new ApiError('too_large', { message: markupTooLarge });
};

const switched = (inUse: boolean) => ({ columns: { in_use: inUse }, unknown_tags: [], left_out: 0 });
