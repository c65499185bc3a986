import type { EventOf } from '#platform/events.ts';
import type { Context } from '../../providers.ts';
import { postMail } from './mails.ts';

/** Reaction to `compute_vps.created`: a mail, while the account has an address. */
export async function notifyReady(ctx: Context, event: EventOf<'compute_vps.created'>): Promise<void> {
  const { hostname } = event.data;
  const email = await ctx.providers.recipients.emailOf(ctx.em, event.accountId);
  if (email) await postMail(ctx, email, 'server_ready', { hostname, url: `${ctx.providers.publicUrl}/servers/${event.subject}` });
}

/** Reaction to `compute_vps.deleted`: a mail, while the account has an address. */
export async function notifyDeleted(ctx: Context, event: EventOf<'compute_vps.deleted'>): Promise<void> {
  const { hostname } = event.data;
  const email = await ctx.providers.recipients.emailOf(ctx.em, event.accountId);
  if (email) await postMail(ctx, email, 'server_deleted', { hostname });
}
