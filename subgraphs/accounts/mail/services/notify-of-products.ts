// Reactions to sellers' events about products: each mails the owner, if the account has an address.
import type { EventOf } from '#platform/events.ts';
import type { MailContext } from '../context.ts';
import { toMinute } from '../domain/mail-text.ts';
import { postToOwner } from './mails.ts';

/** Reaction to `compute_vps.created`. */
export const notifyReady = (ctx: MailContext, { accountId, subject, data: { hostname } }: EventOf<'compute_vps.created'>): Promise<void> =>
  postToOwner(ctx, accountId, 'server_ready', { hostname, url: `${ctx.providers.publicUrl}/servers/${subject}` });

/** Reaction to `compute_vps.deleted`. */
export const notifyDeleted = (ctx: MailContext, { accountId, data: { hostname } }: EventOf<'compute_vps.deleted'>): Promise<void> =>
  postToOwner(ctx, accountId, 'server_deleted', { hostname });

const HANDLED = { SUSPENDED: 'server_suspended', RESTORED: 'server_restored', REBUILT: 'server_rebuilt' } as const;

/** Reaction to `compute_server.handled`: mails what staff did with a server. The end of one is told with that of its subscription. */
export async function notifyHandled(ctx: MailContext, { accountId, subject, data }: EventOf<'compute_server.handled'>): Promise<void> {
  const { act, hostname, reason, before, after } = data;
  const url = `${ctx.providers.publicUrl}/servers/${subject}`;
  if (act === 'READDRESSED' && before !== undefined && after !== undefined)
    await postToOwner(ctx, accountId, 'server_readdressed', { hostname, reason, before, after, url });
  else if (act === 'SUSPENDED' || act === 'RESTORED' || act === 'REBUILT')
    await postToOwner(ctx, accountId, HANDLED[act], { hostname, reason, url });
}

/** Reaction to `static_stock.available`: sends the mail that the owner has asked for. */
export function notifyOfStock(ctx: MailContext, { accountId, subject, data }: EventOf<'static_stock.available'>): Promise<void> {
  const { title, quantity } = data;
  const url = `${ctx.providers.publicUrl}/static/buy?product=${encodeURIComponent(subject)}&quantity=${quantity}`;
  return postToOwner(ctx, accountId, 'stock_available', { title, quantity, url });
}

/** Reaction to `residential_plan.withdrawn`: mails only when support has taken bytes back without a refund; a refund is told by its order's mail. */
export async function notifyWithdrawn(ctx: MailContext, { accountId, data }: EventOf<'residential_plan.withdrawn'>): Promise<void> {
  const { bytes, title, reason } = data;
  if (bytes === undefined || title === undefined || reason === undefined) return;
  await postToOwner(ctx, accountId, 'plan_withdrawn', {
    title,
    size: sizeOf(bytes),
    reason,
    url: `${ctx.providers.publicUrl}/residential`,
  });
}

/** Less than a megabyte is no loss that a mail could tell of. */
const isWorthAMail = (bytes: string): boolean => BigInt(bytes) >= 1_000_000n;

/** Reaction to `residential_plan.ends_soon`. */
export async function warnOfEnd(ctx: MailContext, { accountId, data }: EventOf<'residential_plan.ends_soon'>): Promise<void> {
  const { planId, title, leftBytes, validUntil } = data;
  if (!isWorthAMail(leftBytes)) return;
  await postToOwner(ctx, accountId, 'plan_ends_soon', {
    title,
    left: sizeOf(leftBytes),
    at: toMinute(new Date(validUntil)),
    url: `${ctx.providers.publicUrl}/residential/${planId}/top-up`,
  });
}

/** Reaction to `residential_plan.lapsed`: whoever had used everything was told of that, and has lost nothing. */
export async function notifyLapsed(ctx: MailContext, { accountId, data }: EventOf<'residential_plan.lapsed'>): Promise<void> {
  const { title, bytes, validUntil } = data;
  if (!isWorthAMail(bytes)) return;
  await postToOwner(ctx, accountId, 'plan_lapsed', {
    title,
    size: sizeOf(bytes),
    at: toMinute(new Date(validUntil)),
    url: `${ctx.providers.publicUrl}/residential/buy`,
  });
}

const sizeOf = (bytes: string): string => `${Number(BigInt(bytes) / 1_000_000n) / 1_000} GB`;

/** Reaction to `residential_plan.balance_low`. */
export function warnOfBalance(ctx: MailContext, { accountId, data }: EventOf<'residential_plan.balance_low'>): Promise<void> {
  const { percent, title, leftBytes } = data;
  const left = leftBytes === undefined ? {} : { left: sizeOf(leftBytes) };
  return postToOwner(ctx, accountId, 'balance_low', { percent, title, ...left, url: `${ctx.providers.publicUrl}/residential` });
}

/** Reaction to `residential_plan.paused`; what an earlier release appended does not say of which plan. */
export async function notifyPaused(ctx: MailContext, { accountId, data }: EventOf<'residential_plan.paused'>): Promise<void> {
  const { planId, title, dailyLimitBytes } = data;
  if (title === undefined || dailyLimitBytes === undefined) return;
  await postToOwner(ctx, accountId, 'plan_paused', { title, limit: sizeOf(dailyLimitBytes), url: settingsOf(ctx, planId) });
}

/** Reaction to `residential_plan.top_up_held`, which is appended at most once a month. */
export const notifyTopUpHeld = (ctx: MailContext, { accountId, data }: EventOf<'residential_plan.top_up_held'>): Promise<void> =>
  postToOwner(ctx, accountId, 'top_up_held', { title: data.title, ceiling: data.ceiling, url: settingsOf(ctx, data.planId) });

/** Reaction to `residential_plan.top_up_stopped`. */
export function notifyTopUpStopped(ctx: MailContext, { accountId, data }: EventOf<'residential_plan.top_up_stopped'>): Promise<void> {
  const { planId, title, why, words } = data;
  return postToOwner(ctx, accountId, 'top_up_stopped', { title, why, ...(words !== undefined && { words }), url: settingsOf(ctx, planId) });
}

const settingsOf = ({ providers }: MailContext, planId: string): string => `${providers.publicUrl}/residential/${planId}?tab=settings`;

/** Reaction to `residential_plan.reset` and `static_plan.credentials_changed`: mails only what support did, not what the owner did. */
export async function notifyReset(
  ctx: MailContext,
  { accountId, subject, type, data }: EventOf<'residential_plan.reset' | 'static_plan.credentials_changed'>,
): Promise<void> {
  const { title, reason } = data;
  if (title === undefined || reason === undefined) return;
  const path = type === 'residential_plan.reset' ? `residential/${subject}` : `static/${subject}`;
  await postToOwner(ctx, accountId, 'proxy_password_reset', { title, reason, url: `${ctx.providers.publicUrl}/${path}` });
}
