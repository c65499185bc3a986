import type { EventOf } from '#platform/events.ts';
import { accountWithId } from '../../identity/entities/account.ts';
import type { Context } from '../../providers.ts';
import { postMail } from './mails.ts';

/** Reaction to `residential_plan.balance_low`: a mail, while the account has an address. */
export async function warnOfBalance(ctx: Context, { accountId, data }: EventOf<'residential_plan.balance_low'>): Promise<void> {
  const { percent, title } = data;
  const account = accountId === null ? null : await accountWithId(ctx.em, accountId);
  if (account?.email) await postMail(ctx, account.email, 'balance_low', { percent, title, url: `${ctx.providers.publicUrl}/residential` });
}
