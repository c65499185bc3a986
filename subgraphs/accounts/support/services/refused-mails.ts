import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import { record } from '../../identity/services/activity.ts';
import { type RefusedMail, forgetRefusal, lockRefusedMail } from '../../mail/entities/mail.ts';
import type { Context } from '../../context.ts';

/** Enqueues a refused mail once more, unchanged. Errors: mail_not_found. */
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
