// What the books, the orders, the subscriptions and the card processor's own records must agree on, whatever has happened. Each broken rule with what breaks it.
import { expect } from 'vitest';
import { ledgerRows } from '../../../kit/ledger-rows.ts';
import { rowsOf } from '../../../kit/tables.ts';
import { brokenAtRest, brokenRules } from './tables.ts';
import type { BillingWorld } from './world.ts';

/** `where` names the run in the failure. `platform`: one whose jobs can be run from here, so that the processor's books are read first. */
export async function expectInvariants(
  { query, sandbox, platform }: Pick<BillingWorld, 'query' | 'sandbox'> & Partial<Pick<BillingWorld, 'platform'>>,
  where: string,
): Promise<void> {
  expect(await brokenRules(query), where).toEqual({});
  // I5: what the processor took and gave back is what the books say, one by one.
  const sorted = (rows: readonly { amount: number }[]) => rows.map(({ amount }) => amount).sort((one, other) => one - other);
  const inBooks = (...kinds: string[]) => ledgerRows(query).amountsOf(kinds, 'PROCESSOR');
  const taken = sandbox.card.charges().filter(({ status }) => status === 'succeeded');
  expect(await inBooks('order_paid', 'payment_credited'), where).toEqual(sorted(taken));
  // Somebody may have given back by hand, unseen, just what was promised then: that is what was sent.
  const sent = new Set(
    (await rowsOf<{ processor_id: string }>(query, 'accounts.refund', { elsewhere: false })).map((row) => row.processor_id),
  );
  const asked = sandbox.card.refunds().filter(({ id, metadata }) => metadata?.['refund_id'] || sent.has(id));
  expect(await inBooks('refund_sent'), where).toEqual(sorted(asked));
  // What the processor holds for us is what the books say that it holds, after disputes, refunds that came back, and, of what was read there, fees and what was
  // paid out to our bank.
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
  // Each payout is in the books once, and so is each that came back.
  const paidOut = entries.filter(({ id, type }) => read.has(id) && /^payout/.test(type));
  expect(await inBooks('payout_received', 'payout_returned'), where).toEqual(
    sorted(paidOut.map(({ amount }) => ({ amount: Math.abs(amount) }))),
  );
}

/** Where every seller works: once all has come to rest, what was paid is there, or was paid back, and everybody has heard of everything. */
export async function expectDelivered({ query, clock }: Pick<BillingWorld, 'query' | 'clock'>, where: string): Promise<void> {
  expect(await brokenAtRest(query, clock.now()), where).toEqual({});
}

/** What came by transfer, in coins and by PayPal is what the books say that came, to the cent. */
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
  // Fees are in the books once they were read there; those of disputes come with the dispute.
  const known = await rowsOf<{ subject_id: string }>(query, 'accounts.processor_movement', { processor: 'paypal', kind: 'PAYMENT' });
  const read = new Set(known.map((row) => row.subject_id));
  const fees = paypal.entries().flatMap(({ id, fee }) => (fee && read.has(id) ? [minor({ amount: fee })] : []));
  // What was withdrawn to our bank, and what it has sent back.
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
