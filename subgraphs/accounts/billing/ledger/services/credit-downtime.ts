import { isReasonCode } from '#platform/errors.ts';
import type { EventOf } from '#platform/events.ts';
import { formatMoney } from '#commerce/money.ts';
import { accountWithId } from '../../../identity/entities/account.ts';
import { lockCreditOfAccount } from '../entities/credit-balance.ts';
import type { LedgerContext } from '../context.ts';
import { record } from '../../../identity/services/activity.ts';
import { postMail } from '../../../mail/services/mails.ts';
import { postJournal } from './post-journal.ts';

/** Reaction to `static_plan.credit_earned`: account credit, once per reference, with a mail. */
export async function creditDowntime(ctx: LedgerContext, { accountId, data }: EventOf<'static_plan.credit_earned'>): Promise<void> {
  const { amountMinor, currency, reason, reasonCode, params = {}, reference } = data;
  const account = accountId === null ? null : await accountWithId(ctx.em, accountId);
  if (!account) return;
  await lockCreditOfAccount(ctx.em, account.id, currency);
  const granted = await postJournal(ctx, 'credit_granted', {
    reference,
    currency,
    note: reason,
    data: { accountId: account.id, amountMinor },
  });
  if (!granted) return;
  await record(ctx, { type: 'credit.granted', accountId: account.id, subject: reference, data: { amountMinor, currency, reason } });
  if (!account.email) return;
  const amount = formatMoney({ amountMinor, currency });
  const said = isReasonCode(reasonCode) ? { code: reasonCode, params } : reason;
  await postMail(ctx, account.email, 'downtime_credited', { amount, reason: said, url: `${ctx.providers.publicUrl}/billing?tab=credit` });
}
