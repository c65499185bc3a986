// Payments that came too late for their order and became account credit, and that the payer still wants back.
import { expect, test } from 'vitest';
import { dataOf } from '../../world.ts';
import { expectInvariants } from '../invariants.ts';
import { startSubscriptions } from '../subscriptions/subscription-world.ts';
import { withDesk } from '../with-desk.ts';

const { world, desk } = await withDesk(startSubscriptions());
const { bank } = world.sandbox.card;

/** Pays two changes of the same version of a subscription: the second is too late, and its 1,000 minor units become credit. */
async function tooLate(name: string) {
  const person = await world.account(`${name}@example.com`);
  const { id } = await world.subscribe(person);
  const change = (amountMinor: number) => {
    const line = { label: `VPS of ${amountMinor}`, quantity: 1, amountMinor };
    return world.change(person, id, { lines: [line], basedOn: 1 }, { lines: [{ ...line, amountMinor: 1_000 }] });
  };
  const [first, second] = [await change(2_000), await change(3_000)];
  for (const { id: orderId } of [first, second]) {
    await world.pay(orderId);
    await world.rest();
    await world.rest();
  }
  expect(await world.balance(person)).toBe(1_000);
  return { person, id, checkout: await world.checkoutOf(second.id) };
}
const DISPUTES = 'query ($open: Boolean) { supportDisputes(open: $open) { id frozenAt } }';
const newest = async (open: boolean) =>
  dataOf<{ id: string; frozenAt: string | null }[]>(await world.ask(desk.viewer, DISPUTES, { open }), 'supportDisputes').at(0);

test('what its bank keeps is taken back out of the credit that it became, and given again when it is won after all', async () => {
  const { person, id, checkout } = await tooLate('ada');
  const dispute = bank.dispute(checkout);
  await world.rest();
  expect(await newest(true)).toMatchObject({ frozenAt: null });
  expect((await world.row(id)).status).toBe('ACTIVE');
  bank.decide(dispute.id, 'lost');
  await world.rest();
  expect(await world.balance(person)).toBe(0);
  const ours = (await newest(false))?.id ?? '';
  expect(await world.books(ours)).toEqual({ DISPUTED: -1_000, CUSTOMER_CREDIT: 1_000 });
  await expectInvariants(world, 'after it was lost');
  bank.appeal(dispute.id);
  bank.decide(dispute.id, 'won');
  await world.rest();
  expect(await world.balance(person)).toBe(1_000);
  await expectInvariants(world, 'after it was won');
});

test('what is spent of it by then is a loss', async () => {
  const { person, checkout } = await tooLate('ben');
  await world.place(person, world.termsOf({ id: world.newSubscription() }, { lines: [{ label: 'VPS', quantity: 1, amountMinor: 700 }] }));
  await world.rest();
  expect(await world.balance(person)).toBe(300);
  const dispute = bank.dispute(checkout);
  bank.decide(dispute.id, 'lost');
  await world.rest();
  expect(await world.balance(person)).toBe(0);
  const ours = (await newest(false))?.id ?? '';
  expect(await world.books(ours)).toEqual({ DISPUTED: -1_000, CUSTOMER_CREDIT: 300, LOSSES: 700 });
  await expectInvariants(world, 'after a part was spent');
});

test('what is given back of it by hand is taken out of the credit', async () => {
  const { person, checkout } = await tooLate('cleo');
  bank.refund(checkout, { amount: 400 });
  await world.rest();
  expect(await world.balance(person)).toBe(600);
  await expectInvariants(world, 'after a refund by hand');
});

const PAY_OUT = 'mutation ($input: SupportCreditPayOutInput!) { supportCreditPayOut(input: $input) { id } }';
const RESOLVE = 'mutation ($id: ID!, $decision: RefundDecision!) { supportRefundResolve(id: $id, decision: $decision) { id } }';
const FAILED = '{ supportFailedRefunds { refund { id amount { amountMinor } } } }';
const owed = async () => {
  const failed = dataOf<{ refund: { id: string; amount: { amountMinor: number } } }[]>(
    await world.ask(desk.viewer, FAILED),
    'supportFailedRefunds',
  );
  return failed.map(({ refund }) => refund);
};

test('what is given back of it by hand counts for a pay-out of it that failed, and other credit is not touched', async () => {
  const { person, checkout } = await tooLate('dora');
  const input = { accountId: person.id, reason: 'You asked for it', idempotencyKey: world.newKey() };
  dataOf(await world.ask(desk.viewer, PAY_OUT, { input }), 'supportCreditPayOut');
  const dispute = bank.dispute(checkout);
  await world.rest();
  expect(await owed()).toMatchObject([{ amount: { amountMinor: 1_000 } }]);
  bank.decide(dispute.id, 'won');
  await world.rest();
  await world.grant(person.id, 500, desk.viewer);
  const { id: byHand } = bank.refund(checkout, { amount: 400 });
  await world.rest();
  expect(await world.balance(person)).toBe(500);
  expect(await owed()).toMatchObject([{ amount: { amountMinor: 600 } }]);
  await expectInvariants(world, 'after a part was given back by hand');

  // The payer's bank sends the refund back: all of it is owed again.
  bank.failRefund(byHand);
  await world.rest();
  expect((await owed()).map(({ amount }) => amount.amountMinor).toSorted()).toEqual([400, 600]);
  await expectInvariants(world, 'after that came back');
  for (const { id } of await owed()) await world.ask(desk.viewer, RESOLVE, { id, decision: 'AGAIN' });
  await world.rest();
  expect(await owed()).toEqual([]);
  expect(await world.balance(person)).toBe(500);
  await expectInvariants(world, 'after both were sent again');
});
