import { z } from 'zod';
import type { LoggedEvent } from '#platform/events.ts';
import { Account } from '../../identity/entities/account.ts';
import type { Context } from '../../providers.ts';
import { postMail } from './mails.ts';

const told = z.object({ percent: z.number().int(), title: z.string() });

/** Reaction to `residential_plan.balance_low`: a mail, while the account has an address. */
export async function warnOfBalance(ctx: Context, event: LoggedEvent): Promise<void> {
  const { percent, title } = told.parse(event.data);
  const account = event.accountId === null ? null : await ctx.em.findOne(Account, { id: event.accountId });
  if (account?.email) await postMail(ctx, account.email, 'balance_low', { percent, title, url: `${ctx.providers.publicUrl}/residential` });
}
