import { everyRow } from '#shared/every-row.ts';
import { newId } from '#shared/ids.ts';
import { seal, unseal } from '#shared/secrets.ts';
import type { MailText } from '../domain/mail-text.ts';
import { MAILS, type MailData, type MailKind } from '../domain/mails.ts';
import { Mail } from '../entities/mail.ts';
import type { Context } from '../providers.ts';
import { isUnwanted } from './notifications.ts';

/** Takes down a mail in the transaction of `ctx.em`, unless its reader does not want any of its kind; it is sent after the commit, at least once, under one key. */
export async function postMail<Kind extends MailKind>(ctx: Context, to: string, kind: Kind, data: MailData<Kind>): Promise<void> {
  if (await isUnwanted(ctx, to, kind)) return;
  const id = newId('mail', ctx.clock);
  const sealed = seal(JSON.stringify({ ...data, brand: ctx.providers.brand }), ctx.providers.secrets.sealing, id);
  await ctx.em.insert(Mail, { id, recipient: to, kind, sealed, createdAt: ctx.clock.now(), sentAt: null });
  await ctx.jobs.enqueue(ctx.em, 'accounts.mail-send', { id });
}

/** Sends one mail and forgets what it said. A repeat of a sent one does nothing. */
export async function sendMail(ctx: Context, id: string): Promise<void> {
  const mail = await ctx.em.findOne(Mail, { id });
  if (!mail?.sealed) return;
  const data = JSON.parse(unseal(mail.sealed, ctx.providers.secrets.sealing, id)) as never;
  const text: MailText = MAILS[mail.kind as MailKind](data);
  await ctx.providers.mailer.send(mail.recipient, text, id);
  await ctx.em.nativeUpdate(Mail, { id, sentAt: null }, { sentAt: ctx.clock.now(), sealed: null });
}

/** Mails whose job was lost are enqueued again. */
export async function resumeMails(ctx: Context, olderThan: Date): Promise<void> {
  const waiting = everyRow((behind, limit) =>
    ctx.em.find(
      Mail,
      { id: { $gt: behind }, sentAt: null, createdAt: { $lt: olderThan } },
      { orderBy: { id: 'asc' }, limit, fields: ['id'] },
    ),
  );
  for await (const { id } of waiting) await ctx.jobs.enqueue(ctx.em, 'accounts.mail-send', { id }, { key: id });
}
