// Texts of mails that an operator writes: published in versions, shown with sample data, sent to try them.
import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import type { Language } from '#platform/language.ts';
import { TEXT_MAX } from '../../../../schema/limits.ts';
import type { MailContext } from '../context.ts';
import type { MailKind } from '../domain/mail-kind.ts';
import type { MailText } from '../domain/mail-text.ts';
import { type MailFields, type MailTemplate, checkTemplate, writeByTemplate } from '../domain/mail-template.ts';
import { type MailTemplateVersion, insertTemplate, latestTemplate, lockMailTemplates } from '../entities/mail-template.ts';

/** What a template of this kind may say. Errors: parameter_invalid (its text depends on what has happened, or there is no such mail). */
export function fieldsOf({ providers: { mailFields } }: MailContext, kind: string): MailFields {
  const fields = Object.hasOwn(mailFields, kind) ? mailFields[kind as MailKind] : undefined;
  if (!fields) throw fail('parameter_invalid', { field: 'kind', reason: because('mail_kind_unfit', { kind }) });
  return fields;
}

interface Publication {
  kind: string;
  language: Language;
  /** Null: the program's own text again. */
  template: MailTemplate | null;
  note?: string | null | undefined;
}

/** Publishes the next version of a kind in a language: mails that are sent from now on have it, those that wait too. Errors: parameter_invalid. */
export function publishTemplate(ctx: MailContext, { kind, language, template, note }: Publication): Promise<MailTemplateVersion> {
  const fields = fieldsOf(ctx, kind);
  if (template) checkTemplate(template, fields);
  const words = (note ?? '').trim();
  if (words.length > TEXT_MAX.legalNote)
    throw fail('parameter_invalid', { field: 'note', reason: because('line_length', { max: TEXT_MAX.legalNote }) });
  return inTransaction(ctx, async (tx) => {
    await lockMailTemplates(tx.em);
    const latest = await latestTemplate(tx.em, kind, language);
    return insertTemplate(tx.em, {
      id: newId('mail', tx.clock),
      kind,
      language,
      version: (latest?.version ?? 0) + 1,
      subject: template?.subject ?? null,
      body: template?.body ?? null,
      note: words,
      publishedAt: tx.clock.now(),
      publishedBy: accountOf(tx),
    });
  });
}

/**
 * Writes a mail: by `draft`, by the operator's text in force, or as the program has it. A text that fits its kind no longer, after an upgrade, is set aside and
 * logged: the mail goes out all the same.
 */
export async function writeMail(ctx: MailContext, kind: string, language: Language, data: object, draft?: MailTemplate): Promise<MailText> {
  const { mails, mailFields } = ctx.providers;
  const template = draft ?? (await templateInForce(ctx, kind, language));
  const fields = mailFields[kind as MailKind];
  if (template && fields) {
    try {
      checkTemplate(template, fields);
      return writeByTemplate(language, template, { ...data });
    } catch (error) {
      ctx.log.error({ kind, language, error: String(error) }, 'the text that the operator has written does not fit this mail');
    }
  }
  return mails[language][kind as MailKind](data as never);
}

async function templateInForce({ em }: MailContext, kind: string, language: Language): Promise<MailTemplate | undefined> {
  const { subject = null, body = null } = (await latestTemplate(em, kind, language)) ?? {};
  return subject === null || body === null ? undefined : { subject, body };
}

/** The mail with sample data. Errors: parameter_invalid. */
export async function previewMail(ctx: MailContext, kind: string, language: Language, draft?: MailTemplate): Promise<MailText> {
  const fields = fieldsOf(ctx, kind);
  if (draft) checkTemplate(draft, fields);
  return writeMail(ctx, kind, language, sampleOf(ctx, kind), draft);
}

const sampleOf = ({ providers: { mailSamples, brand } }: MailContext, kind: string): object => ({
  ...mailSamples[kind as MailKind],
  brand,
});
