import { everyRow } from '#platform/every-row.ts';
import { newId } from '#platform/ids.ts';
import type { Language } from '#platform/language.ts';
import { seal, unseal } from '#platform/sealing.ts';
import type { MailText } from '../domain/mail-text.ts';
import { topicOf } from '../domain/notification-topic.ts';
import { insertMail, mailWithId, markRefused, markSent, waitingMails } from '../entities/mail.ts';
import type { MailData, MailKind } from '../domain/mail-kind.ts';
import type { MailContext } from '../context.ts';
import { MailRefused } from '../providers/mailer.ts';

const MAX_REASON_LENGTH = 500;

/**
 * Stores a mail in the transaction of `ctx.em`, unless its recipient has switched off mails of its kind. It is sent after the commit, at least once, under one
 * key. It is written in the language of the account with that address; `language` is for addresses without an account.
 */
export async function postMail<Kind extends MailKind>(
  ctx: MailContext,
  to: string,
  kind: Kind,
  data: MailData<Kind>,
  language?: Language,
): Promise<void> {
  const topic = topicOf(kind);
  if (topic && (await ctx.providers.recipients.isUnwanted(ctx.em, to, topic))) return;
  const id = newId('mail', ctx.clock);
  const spoken = language ?? (await ctx.providers.recipients.languageOf(ctx.em, to));
  const sealed = seal(JSON.stringify({ ...data, brand: ctx.providers.brand, language: spoken }), ctx.providers.secrets.sealing, id);
  await insertMail(ctx.em, { id, recipient: to, kind, sealed, createdAt: ctx.clock.now() });
  await ctx.jobs.enqueue(ctx.em, 'accounts.mail-send', { id });
}

/** Posts a mail to the owner of an account, if the account has an address. */
export async function postToOwner<Kind extends MailKind>(
  ctx: MailContext,
  accountId: string | null,
  kind: Kind,
  data: MailData<Kind>,
): Promise<void> {
  const email = await ctx.providers.recipients.emailOf(ctx.em, accountId);
  if (email) await postMail(ctx, email, kind, data);
}

/** Sends a stored mail and deletes its content. Does nothing for a mail that was sent already; one that is refused for good waits for support. */
export async function sendMail(ctx: MailContext, id: string): Promise<void> {
  const mail = await mailWithId(ctx.em, id);
  if (!mail?.sealed || mail.failedAt) return;
  // Without a language: a mail to somebody without an account, or one of a release whose mails were all in English.
  const { language = 'en', ...data } = JSON.parse(unseal(mail.sealed, ctx.providers.secrets.sealing, id)) as { language?: Language };
  const text: MailText = ctx.providers.mails[language][mail.kind as MailKind](data as never);
  const attachments = await ctx.providers.attachments(ctx, data);
  try {
    await ctx.providers.mailer.send(mail.recipient, text, id, attachments);
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    ctx.log.warn({ mail: id, kind: mail.kind, error: error.message }, 'a mail was refused for good');
    await markRefused(ctx.em, id, error.message.slice(0, MAX_REASON_LENGTH), ctx.clock.now());
    return;
  }
  await markSent(ctx.em, id, ctx.clock.now());
}

/** Enqueues mails again whose job was lost. */
export async function resumeMails(ctx: MailContext, olderThan: Date): Promise<void> {
  const waiting = everyRow((cursor, limit) => waitingMails(ctx.em, { cursor, before: olderThan, limit }));
  for await (const { id } of waiting) await ctx.jobs.enqueue(ctx.em, 'accounts.mail-send', { id }, { key: id });
}
