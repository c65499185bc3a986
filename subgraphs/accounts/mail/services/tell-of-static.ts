// What static plans have to say to their owners and to the books.
import type { EventOf } from '#platform/events.ts';
import { formatMoney } from '#commerce/money.ts';
import { accountWithId } from '../../identity/entities/account.ts';
import { lockCreditOfAccount } from '../../billing/ledger/entities/credit-balance.ts';
import type { Context } from '../../providers.ts';
import { record } from '../../identity/services/activity.ts';
import { postMail } from './mails.ts';
import { postJournal } from '../../billing/ledger/services/post-journal.ts';

/** Reaction to `static_stock.available`: the mail that was asked for, while the account has an address. */
export async function tellOfStock(ctx: Context, { accountId, subject, data }: EventOf<'static_stock.available'>): Promise<void> {
  const { title, quantity } = data;
  const account = accountId === null ? null : await accountWithId(ctx.em, accountId);
  if (!account?.email) return;
  const url = `${ctx.providers.publicUrl}/static/buy?product=${encodeURIComponent(subject)}&quantity=${quantity}`;
  await postMail(ctx, account.email, 'stock_available', { title, quantity, url });
}

/** Reaction to `static_plan.credit_earned`: account credit, once per reference, with a mail. */
export async function creditDowntime(ctx: Context, { accountId, data }: EventOf<'static_plan.credit_earned'>): Promise<void> {
  const { amountMinor, currency, reason, reference } = data;
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
  await postMail(ctx, account.email, 'downtime_credited', { amount, reason, url: `${ctx.providers.publicUrl}/billing?tab=credit` });
}
