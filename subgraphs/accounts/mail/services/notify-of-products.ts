// Reactions to what sellers say of a product: a mail to its owner, while the account has an address.
import type { EventOf } from '#platform/events.ts';
import type { Context } from '../../context.ts';
import { postToOwner } from './mails.ts';

/** Reaction to `compute_vps.created`. */
export const notifyReady = (ctx: Context, { accountId, subject, data: { hostname } }: EventOf<'compute_vps.created'>): Promise<void> =>
  postToOwner(ctx, accountId, 'server_ready', { hostname, url: `${ctx.providers.publicUrl}/servers/${subject}` });

/** Reaction to `compute_vps.deleted`. */
export const notifyDeleted = (ctx: Context, { accountId, data: { hostname } }: EventOf<'compute_vps.deleted'>): Promise<void> =>
  postToOwner(ctx, accountId, 'server_deleted', { hostname });

/** Reaction to `static_stock.available`: the mail that was asked for. */
export function notifyOfStock(ctx: Context, { accountId, subject, data }: EventOf<'static_stock.available'>): Promise<void> {
  const { title, quantity } = data;
  const url = `${ctx.providers.publicUrl}/static/buy?product=${encodeURIComponent(subject)}&quantity=${quantity}`;
  return postToOwner(ctx, accountId, 'stock_available', { title, quantity, url });
}

/** Reaction to `residential_plan.balance_low`. */
export function warnOfBalance(ctx: Context, { accountId, data }: EventOf<'residential_plan.balance_low'>): Promise<void> {
  const { percent, title } = data;
  return postToOwner(ctx, accountId, 'balance_low', { percent, title, url: `${ctx.providers.publicUrl}/residential` });
}
