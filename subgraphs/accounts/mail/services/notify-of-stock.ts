import type { EventOf } from '#platform/events.ts';
import type { Context } from '../../providers.ts';
import { postMail } from './mails.ts';

/** Reaction to `static_stock.available`: the mail that was asked for, while the account has an address. */
export async function notifyOfStock(ctx: Context, { accountId, subject, data }: EventOf<'static_stock.available'>): Promise<void> {
  const { title, quantity } = data;
  const email = await ctx.providers.recipients.emailOf(ctx.em, accountId);
  if (!email) return;
  const url = `${ctx.providers.publicUrl}/static/buy?product=${encodeURIComponent(subject)}&quantity=${quantity}`;
  await postMail(ctx, email, 'stock_available', { title, quantity, url });
}
