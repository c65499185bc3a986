import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import { everyRow } from '#platform/every-row.ts';
import { newId } from '#platform/ids.ts';
import { seal, unseal } from '#platform/secrets.ts';
import type { MailText } from '../domain/mail-text.ts';
import { MAILS, type MailData, type MailKind } from '../domain/mails.ts';
import {
  type RefusedMail,
  forgetRefusal,
  insertMail,
  lockRefusedMail,
  mailWithId,
  markRefused,
  markSent,
  waitingMails,
} from '../entities/mail.ts';
import type { Context } from '../../providers.ts';
import { MailRefused } from '../providers/mailer.ts';
import { record } from '../../identity/services/activity.ts';
import { isUnwanted } from './notifications.ts';

const MAX_REASON_LENGTH = 500;

/** Takes down a mail in the transaction of `ctx.em`, unless its reader does not want any of its kind; it is sent after the commit, at least once, under one key. */
export async function postMail<Kind extends MailKind>(ctx: Context, to: string, kind: Kind, data: MailData<Kind>): Promise<void> {
  if (await isUnwanted(ctx, to, kind)) return;
  const id = newId('mail', ctx.clock);
  const sealed = seal(JSON.stringify({ ...data, brand: ctx.providers.brand }), ctx.providers.secrets.sealing, id);
  await insertMail(ctx.em, { id, recipient: to, kind, sealed, createdAt: ctx.clock.now() });
  await ctx.jobs.enqueue(ctx.em, 'accounts.mail-send', { id });
}

/** Sends one mail and forgets what it said. A repeat of a sent one does nothing; one that is refused for good waits for support. */
export async function sendMail(ctx: Context, id: string): Promise<void> {
  const mail = await mailWithId(ctx.em, id);
  if (!mail?.sealed || mail.failedAt) return;
  const data = JSON.parse(unseal(mail.sealed, ctx.providers.secrets.sealing, id)) as never;
  const text: MailText = MAILS[mail.kind as MailKind](data);
  try {
    await ctx.providers.mailer.send(mail.recipient, text, id);
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    ctx.log.warn({ mail: id, kind: mail.kind, error: error.message }, 'a mail was refused for good');
    await markRefused(ctx.em, id, error.message.slice(0, MAX_REASON_LENGTH), ctx.clock.now());
    return;
  }
  await markSent(ctx.em, id, ctx.clock.now());
}

/** Puts a refused mail into the queue once more; it is as it was refused. Errors: mail_not_found. */
export const sendAgain = (ctx: Context, id: string): Promise<RefusedMail> =>
  inTransaction(ctx, async (tx) => {
    const mail = await lockRefusedMail(tx.em, id);
    if (!mail) throw fail('mail_not_found');
    const asRefused = { ...mail };
    await forgetRefusal(tx.em, id);
    await tx.jobs.enqueue(tx.em, 'accounts.mail-send', { id }, { key: id });
    await record(tx, {
      type: 'mail.sent_again',
      accountId: accountOf(tx),
      subject: id,
      data: { recipient: mail.recipient },
      actor: 'SUPPORT',
    });
    return asRefused;
  });

/** Mails whose job was lost are enqueued again. */
export async function resumeMails(ctx: Context, olderThan: Date): Promise<void> {
  const waiting = everyRow((behind, limit) => waitingMails(ctx.em, { behind, before: olderThan, limit }));
  for await (const { id } of waiting) await ctx.jobs.enqueue(ctx.em, 'accounts.mail-send', { id }, { key: id });
}
