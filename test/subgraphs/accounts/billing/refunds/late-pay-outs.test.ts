// Credit from subscriptions can be paid out too: payments that belong to no order, and what a change has credited.
import { expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { expectReportsToAgree } from '../finance/agreement.ts';
import { expectInvariants } from '../invariants.ts';
import { startSubscriptions } from '../subscriptions/subscription-world.ts';
import { withDesk } from '../with-desk.ts';
import { payOutsIn } from './pay-outs.ts';

const { world, desk } = await withDesk(startSubscriptions());
const pay = payOutsIn(world, desk);
const line = (amountMinor: number) => ({ label: `VPS of ${amountMinor}`, quantity: 1, amountMinor });

async function agreed(where: string): Promise<void> {
  await expectInvariants(world, where);
  // A difference is reported when nothing about it has moved for two days.
  world.clock.advance(3 * DAY);
  await world.platform.queue.runNow('accounts.balances-read');
  await world.rest();
  await expectReportsToAgree(world, desk.viewer, where);
}

test('money for a change that came too late goes back to its card, and what the bank sends back of it is credit again', async () => {
  const bob = await world.account('bob@example.com');
  const { id } = await world.subscribe(bob);
  const change = (amountMinor: number) =>
    world.change(bob, id, { lines: [line(amountMinor)], basedOn: 1 }, { lines: [{ ...line(amountMinor), amountMinor: 1_000 }] });
  const [first, second] = [await change(2_000), await change(3_000)];
  await world.pay(first.id);
  await world.rest();
  await world.adjusted();
  await world.pay(second.id);
  await world.rest();
  await world.rest();
  expect(await world.balance(bob)).toBe(1_000);
  expect(await pay.payable(bob)).toMatchObject({ parts: [{ destination: 'CARD', byHand: false, amount: { amountMinor: 1_000 } }] });
  await pay.payOut(bob);
  await world.rest();
  expect(await pay.payOuts(bob)).toMatchObject([{ status: 'DONE' }]);
  await agreed('paid out');
  world.sandbox.card.bank.failRefund(world.sandbox.card.refunds().at(-1)?.id ?? '');
  await world.rest();
  expect(await pay.payOuts(bob)).toMatchObject([{ status: 'CREDITED' }]);
  expect(await world.balance(bob)).toBe(1_000);
  await agreed('sent back');
});

test('what a change gives back goes to the card that paid the period', async () => {
  const cleo = await world.account('cleo@example.com');
  const { id, order } = await world.subscribe(cleo);
  await world.change(cleo, id, { lines: [line(500)], basedOn: 1 }, { lines: [], creditMinor: 600 });
  await world.rest();
  expect(await world.balance(cleo)).toBe(600);
  await pay.payOut(cleo);
  await world.rest();
  expect(world.sandbox.card.refunds().at(-1)).toMatchObject({ amount: 600, status: 'succeeded' });
  expect(order.total.amountMinor).toBeGreaterThan(600);
  await agreed('given back');
});
