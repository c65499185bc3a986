// Finds what happened at the processor when no webhook of it ever came.
import { expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { dataOf } from '../../world.ts';
import { expectInvariants } from '../invariants.ts';
import { startBilling } from '../world.ts';
import { withDesk } from '../with-desk.ts';

const { world, desk } = await withDesk(startBilling());
const { bank, faults } = world.sandbox.card;

const sweep = async () => {
  await world.platform.queue.runNow('accounts.processors-sweep');
  await world.settle();
};
const unnoticed = async (happens: () => unknown) => {
  faults.webhooks.drop = 1;
  happens();
  await world.settle();
  faults.webhooks.drop = 0;
};
const bought = async (name: string) => {
  const person = await world.account(`${name}@example.com`);
  const { id } = await world.buy(person);
  return { id, checkoutId: await world.checkoutOf(id) };
};
const ORDER = 'query ($id: ID!) { supportOrder(id: $id) { refunds { status amount { amountMinor } } disputes { status } } }';
const orderOf = async (id: string) => dataOf(await world.ask(desk.viewer, ORDER, { id }), 'supportOrder');

test('a refund made there by hand whose every notice is lost is in the books the next day, once', async () => {
  const { id, checkoutId } = await bought('ada');
  await unnoticed(() => bank.refund(checkoutId, { amount: 1_000 }));
  expect(await orderOf(id)).toEqual({ refunds: [], disputes: [] });
  await sweep();
  await sweep();
  expect(await orderOf(id)).toEqual({ refunds: [{ status: 'DONE', amount: { amountMinor: 1_000 } }], disputes: [] });
  await expectInvariants(world, 'after a refund that nobody said');
});

test('so is a refund that arrived weeks ago and now comes back', async () => {
  const { id, checkoutId } = await bought('eve');
  const refund = bank.refund(checkoutId, { amount: 1_000 });
  await world.settle();
  world.clock.advance(20 * DAY);
  await unnoticed(() => bank.failRefund(refund.id));
  expect(await orderOf(id)).toMatchObject({ refunds: [{ status: 'DONE' }] });
  await sweep();
  await sweep();
  expect(await orderOf(id)).toMatchObject({ refunds: [{ status: 'FAILED' }] });
  await expectInvariants(world, 'after a refund that came back and nobody said');
});

test('so is a dispute, and what cannot be looked at keeps nobody else from it', async () => {
  const [one, other] = [await bought('ben'), await bought('cy')];
  const failing: string[] = [];
  await unnoticed(() => {
    failing.push(bank.dispute(one.checkoutId).id);
    bank.dispute(other.checkoutId);
  });
  // The client retries by itself, so the fault must meet four calls.
  for (let count = 0; count < 4; count++) faults.api.next.push({ fault: 'error_before_effect', on: `GET /v1/disputes/${failing[0]}` });
  await sweep();
  faults.api.next.length = 0;
  expect(await orderOf(one.id)).toMatchObject({ disputes: [] });
  expect(await orderOf(other.id)).toMatchObject({ disputes: [{ status: 'NEEDS_RESPONSE' }] });
  await sweep();
  expect(await orderOf(one.id)).toMatchObject({ disputes: [{ status: 'NEEDS_RESPONSE' }] });
});

test('what is older than two weeks is not asked for', async () => {
  const { id, checkoutId } = await bought('dan');
  await unnoticed(() => bank.refund(checkoutId, { amount: 500 }));
  world.clock.advance(15 * DAY);
  await sweep();
  expect(await orderOf(id)).toMatchObject({ refunds: [] });
});
