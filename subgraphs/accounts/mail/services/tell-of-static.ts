// What static plans have to say to their owners and to the books.
import { z } from 'zod';
import type { LoggedEvent } from '#platform/events.ts';
import { formatMoney } from '#commerce/money.ts';
import { Account } from '../../identity/entities/account.ts';
import { lockCreditOfAccount } from '../../billing/ledger/entities/credit-balance.ts';
import type { Context } from '../../providers.ts';
import { record } from '../../identity/services/activity.ts';
import { postMail } from './mails.ts';
import { postJournal } from '../../billing/ledger/services/post-journal.ts';

const stock = z.object({ title: z.string(), quantity: z.number().int() });

/** Reaction to `static_stock.available`: the mail that was asked for, while the account has an address. */
export async function tellOfStock(ctx: Context, { accountId, subject, data }: LoggedEvent): Promise<void> {
  const { title, quantity } = stock.parse(data);
  const account = accountId === null ? null : await ctx.em.findOne(Account, { id: accountId });
  if (!account?.email) return;
  const url = `${ctx.providers.publicUrl}/static/buy?product=${encodeURIComponent(subject)}&quantity=${quantity}`;
  await postMail(ctx, account.email, 'stock_available', { title, quantity, url });
}

const credit = z.object({ amountMinor: z.number().int().min(1), currency: z.string(), reason: z.string(), reference: z.string() });

/** Reaction to `static_plan.credit_earned`: account credit, once per reference, with a mail. */
export async function creditDowntime(ctx: Context, { accountId, data }: LoggedEvent): Promise<void> {
  const { amountMinor, currency, reason, reference } = credit.parse(data);
  const account = accountId === null ? null : await ctx.em.findOne(Account, { id: accountId });
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
