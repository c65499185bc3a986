// Checks that the ledger, orders, subscriptions and the card processor's own records agree, whatever has happened. A failure shows each broken rule and
// the rows that break it.
import { expect } from 'vitest';
import { ledgerRows } from '../../../kit/ledger-rows.ts';
import { rowsOf } from '../../../kit/tables.ts';
import { brokenAtRest, brokenRules } from './tables.ts';
import type { BillingWorld } from './world.ts';

/** `where` names the run in a failure. With `platform`, the job that reads the processor's balance runs first. */
export async function expectInvariants(
  { query, sandbox, platform }: Pick<BillingWorld, 'query' | 'sandbox'> & Partial<Pick<BillingWorld, 'platform'>>,
  where: string,
): Promise<void> {
  expect(await brokenRules(query), where).toEqual({});
  // I5: each charge and refund of the processor is in the ledger, one by one.
  const sorted = (rows: readonly { amount: number }[]) => rows.map(({ amount }) => amount).sort((one, other) => one - other);
  const inBooks = (...kinds: string[]) => ledgerRows(query).amountsOf(kinds, 'PROCESSOR');
  const taken = sandbox.card.charges().filter(({ status }) => status === 'succeeded');
  expect(await inBooks('order_paid', 'payment_credited'), where).toEqual(sorted(taken));
  // A refund that somebody made by hand, before ours was sent, can be taken for ours: it counts as sent.
  const sent = new Set(
    (await rowsOf<{ processor_id: string }>(query, 'accounts.refund', { elsewhere: false })).map((row) => row.processor_id),
  );
  const asked = sandbox.card.refunds().filter(({ id, metadata }) => metadata?.['refund_id'] || sent.has(id));
  expect(await inBooks('refund_sent'), where).toEqual(sorted(asked));
  // The balance at the processor equals the ledger's, after disputes and returned refunds, and after fees and payouts as far as they have been read from
  // the processor.
  if (platform) await platform.queue.runNow('accounts.balances-read');
  await platform?.queue.drain();
  const entries = sandbox.card.bank.entries();
  const movements = await rowsOf<{ processor_id: string }>(query, 'accounts.processor_movement', {}, { columns: 'processor_id' });
  const read = new Set(movements.map(({ processor_id: id }) => id));
  if (platform)
    expect(
      entries.filter(({ id }) => !read.has(id)),
      where,
    ).toEqual([]);
  const grossOf = ({ type, amount, net }: (typeof entries)[number]) =>
    type === 'adjustment' ? net : /^(payout|stripe_fee)/.test(type) ? 0 : amount;
  const held = entries.reduce((sum, entry) => sum + (read.has(entry.id) ? entry.net : grossOf(entry)), 0);
  expect((await ledgerRows(query).sums())['PROCESSOR'] ?? 0, where).toBe(held);
  // Each payout is in the ledger once, and so is each returned payout.
  const paidOut = entries.filter(({ id, type }) => read.has(id) && /^payout/.test(type));
  expect(await inBooks('payout_received', 'payout_returned'), where).toEqual(
    sorted(paidOut.map(({ amount }) => ({ amount: Math.abs(amount) }))),
  );
}

/** For worlds in which every seller runs, when no work is left: what was paid is delivered or paid back, and every reader has read all events. */
export async function expectDelivered({ query, clock }: Pick<BillingWorld, 'query' | 'clock'>, where: string): Promise<void> {
  expect(await brokenAtRest(query, clock.now()), where).toEqual({});
}

/** Checks, to the cent, that the ledger has what arrived by bank transfer, in coins and through PayPal. */
export async function expectMoneyArrived(
  { query, sandbox }: Pick<BillingWorld, 'query' | 'sandbox'>,
  transferredMinor: number,
  where: string,
): Promise<void> {
  const rows = ledgerRows(query);
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
  const { paypal, crypto } = sandbox;
  const minor = ({ amount }: { amount: { value: string } }) => Math.round(Number(amount.value) * 100);
  const taken = paypal.captures().filter(({ status }) => status !== 'PENDING' && status !== 'DECLINED');
  const back = paypal.refunds().filter(({ status }) => status === 'COMPLETED');
  // PayPal's fees are booked when they are read there; the fee of a dispute is booked with the dispute.
  const known = await rowsOf<{ subject_id: string }>(query, 'accounts.processor_movement', { processor: 'paypal', kind: 'PAYMENT' });
  const read = new Set(known.map((row) => row.subject_id));
  const fees = paypal.entries().flatMap(({ id, fee }) => (fee && read.has(id) ? [minor({ amount: fee })] : []));
  // Withdrawals to our bank, and those that it has sent back.
  const withdrawn = await rows.amountsOf(['payout_received', 'payout_returned'], 'PAYPAL');
  const bankMoves = paypal.entries().flatMap(({ code, amount }) => (code === 'T0400' || code === 'T1101' ? [minor({ amount })] : []));
  const moved = paypal.disputes().flatMap(({ movements }) => movements.map((move) => (move.type === 'DEBIT' ? -minor(move) : minor(move))));
  expect(
    {
      transferred: sum(await rows.amountsOf(['order_paid', 'transfer_credited'], 'BANK')),
      coins: sum(await rows.amountsOf(['order_paid', 'crypto_credited'], 'CRYPTO')),
      withdrawn: withdrawn.toSorted((one, other) => one - other),
      captures: (await rows.amountsOf(['order_paid', 'payment_credited'], 'PAYPAL')).sort((one, other) => one - other),
      paypal: (await rows.sums())['PAYPAL'] ?? 0,
    },
    where,
  ).toEqual({
    transferred: transferredMinor,
    coins: sum(crypto.invoices().map(({ id }) => crypto.receivedCents(String(id)))),
    withdrawn: bankMoves.map(Math.abs).toSorted((one, other) => one - other),
    captures: taken.map(minor).sort((one, other) => one - other),
    paypal: sum(taken.map(minor)) - sum(back.map(minor)) + sum(moved) + sum(fees) + sum(bankMoves),
  });
}
