import type { EventOf } from '#platform/events.ts';
import type { Context } from '../../providers.ts';
import { postMail } from './mails.ts';

/** Reaction to `residential_plan.balance_low`: a mail, while the account has an address. */
export async function warnOfBalance(ctx: Context, { accountId, data }: EventOf<'residential_plan.balance_low'>): Promise<void> {
  const { percent, title } = data;
  const email = await ctx.providers.recipients.emailOf(ctx.em, accountId);
  if (email) await postMail(ctx, email, 'balance_low', { percent, title, url: `${ctx.providers.publicUrl}/residential` });
}
