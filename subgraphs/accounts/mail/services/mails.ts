import { inTransaction } from '#platform/database.ts';
import { everyRow } from '#platform/every-row.ts';
import { newId } from '#platform/ids.ts';
import type { Language } from '#platform/language.ts';
import { seal, unseal } from '#platform/sealing.ts';
import type { MailTemplate } from '../domain/mail-template.ts';
import { isMailed } from '../domain/notification-topic.ts';
import { insertMail, mailWithId, markRefused, markSent, waitingMails } from '../entities/mail.ts';
import type { MailData, MailKind } from '../domain/mail-kind.ts';
import type { MailContext } from '../context.ts';
import { MailRefused } from '../providers/mailer.ts';
import { previewMail, writeMail } from './mail-templates.ts';

const MAX_REASON_LENGTH = 500;

/**
 * Stores a mail in the transaction of `ctx.em`, unless its recipient has switched off mails of its kind, and tells the recipient's browsers. It is sent after the commit, at least once, under one
 * key. It is written in the language of the account with that address; `language` is for addresses without an account.
 */
export async function postMail<Kind extends MailKind>(
  ctx: MailContext,
  to: string,
  kind: Kind,
  data: MailData<Kind>,
  language?: Language,
): Promise<void> {
  const reader = await ctx.providers.recipients.withEmail(ctx.em, to);
  if (reader) await ctx.providers.pushTo(ctx, reader, kind, data);
  if (!isMailed(kind, reader?.unwantedTopics ?? [])) return;
  await store(ctx, to, kind, data, language ?? reader?.language);
}

async function store(ctx: MailContext, to: string, kind: string, data: object, language: Language | undefined): Promise<void> {
  const id = newId('mail', ctx.clock);
  const sealed = seal(JSON.stringify({ ...data, brand: ctx.providers.brand, language }), ctx.providers.secrets.sealing, id);
  await insertMail(ctx.em, { id, recipient: to, kind, sealed, createdAt: ctx.clock.now() });
  await ctx.jobs.enqueue(ctx.em, 'accounts.mail-send', { id });
}

/** Posts a mail to the owner of an account, if the account has an address; its browsers are told also without one. */
export async function postToOwner<Kind extends MailKind>(
  ctx: MailContext,
  accountId: string | null,
  kind: Kind,
  data: MailData<Kind>,
): Promise<void> {
  const owner = accountId === null ? null : await ctx.providers.recipients.withId(ctx.em, accountId);
  if (owner?.email) await postMail(ctx, owner.email, kind, data);
  else if (owner) await ctx.providers.pushTo(ctx, owner, kind, data);
}

/** What is sealed of a mail beside its data. */
interface Sealed {
  language?: Language;
  /** The text that it tries. */
  draft?: MailTemplate;
}

/** Posts a mail with sample data, by a text that is not published yet or by the one in force. Errors: parameter_invalid. */
export async function tryMail(ctx: MailContext, to: string, kind: string, language: Language, draft?: MailTemplate): Promise<void> {
  await previewMail(ctx, kind, language, draft);
  const data = { ...ctx.providers.mailSamples[kind as MailKind], ...(draft && { draft }) };
  await inTransaction(ctx, (tx) => store(tx, to, kind, data, language));
}

/** Sends a stored mail and deletes its content. Does nothing for a mail that was sent already; one that is refused for good waits for support. */
export async function sendMail(ctx: MailContext, id: string): Promise<void> {
  const mail = await mailWithId(ctx.em, id);
  if (!mail?.sealed || mail.failedAt) return;
  // Without a language: a mail to somebody without an account, or one of a release whose mails were all in English.
  const { language = 'en', draft, ...data } = JSON.parse(unseal(mail.sealed, ctx.providers.secrets.sealing, id)) as Sealed;
  const text = await writeMail(ctx, mail.kind, language, data, draft);
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
