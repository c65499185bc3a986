import { z } from 'zod';
import type { LoggedEvent } from '#platform/events.ts';
import { Account } from '../../identity/entities/account.ts';
import type { Context } from '../../providers.ts';
import { postMail } from './mails.ts';
import { markDelivered } from '../../billing/orders/services/orders.ts';

const told = z.object({ hostname: z.string() });

async function addressOf(ctx: Context, { accountId }: LoggedEvent): Promise<string | null> {
  return accountId === null ? null : ((await ctx.em.findOne(Account, { id: accountId }))?.email ?? null);
}

/** Reaction to `compute_vps.created`: the order is delivered, and the owner told. */
export async function tellReady(ctx: Context, event: LoggedEvent): Promise<void> {
  await markDelivered(ctx, event);
  const { hostname } = told.parse(event.data);
  const email = await addressOf(ctx, event);
  if (email) await postMail(ctx, email, 'server_ready', { hostname, url: `${ctx.providers.publicUrl}/servers/${event.subject}` });
}

/** Reaction to `compute_vps.deleted`: a mail, while the account has an address. */
export async function tellDeleted(ctx: Context, event: LoggedEvent): Promise<void> {
  const { hostname } = told.parse(event.data);
  const email = await addressOf(ctx, event);
  if (email) await postMail(ctx, email, 'server_deleted', { hostname });
}
