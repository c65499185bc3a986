// The card processor does not answer, or answers with an error: no order is lost in an outage of minutes, and nobody is told of an internal error.
import { expect, test } from 'vitest';
import { HOUR, MINUTE } from '#platform/clock.ts';
import { codeOf, dataOf } from '../../world.ts';
import { startBilling } from '../world.ts';
import { withDesk } from '../with-desk.ts';
import { planFaults, setFaults } from '../../../../kit/faults.ts';

const { world, desk } = await withDesk(startBilling());
const { card } = world.sandbox;
const ON = 'POST /v1/checkout/sessions';

const ORDERS = '{ me { orders { id status checkoutUrl } } }';
type Listed = { orders: { id: string; status: string; checkoutUrl: string | null }[] };
const ordersOf = async ({ viewer }: Awaited<ReturnType<typeof world.account>>) =>
  dataOf<Listed>(await world.ask(viewer, ORDERS), 'me').orders;
/** Lets time pass, so that the circuit breaker lets a call through, and reconciles the orders. */
const later = async (ms: number) => {
  world.clock.advance(ms);
  await world.platform.queue.runNow('accounts.orders-reconcile');
};

test.each([1, 5, 20, 31])('an order that is placed while the processor is away for %i minutes is paid afterwards', async (minutes) => {
  const person = await world.account(`away-${minutes}@example.com`);
  const undo = setFaults(card.faults.api, { ratios: { error_before_effect: 1 } });
  expect(codeOf(await world.tryPlace(person))).toBe('vendor_unavailable');
  for (let minute = 0; minute < minutes; minute += 4) await later(4 * MINUTE);
  undo();
  await later(MINUTE);
  await later(MINUTE);
  const [order] = await ordersOf(person);
  expect(order).toMatchObject({ status: 'PENDING', checkoutUrl: expect.any(String) });
  await world.pay(order?.id ?? '');
  await world.settle();
  expect(await ordersOf(person)).toMatchObject([{ status: 'PAID' }]);
});

test('of an hour that the processor is away for an order ends with its credit given back, and the next one is paid', async () => {
  const person = await world.account('away-an-hour@example.com');
  await world.grant(person.id, 300, desk.viewer);
  const undo = setFaults(card.faults.api, { ratios: { error_before_effect: 1 } });
  expect(codeOf(await world.tryPlace(person))).toBe('vendor_unavailable');
  expect(await world.balance(person)).toBe(0);
  for (let minute = 0; minute < 60; minute += 4) await later(4 * MINUTE);
  undo();
  await world.settle();
  expect(await ordersOf(person)).toMatchObject([{ status: 'EXPIRED', checkoutUrl: null }]);
  expect(await world.balance(person)).toBe(300);
  await later(MINUTE);
  await world.buy(person);
  expect((await ordersOf(person)).map(({ status }) => status).toSorted()).toEqual(['EXPIRED', 'PAID']);
});

test('a checkout that was opened although the answer was 500 is found again, and no second one is opened', async () => {
  const person = await world.account('lost@example.com');
  planFaults(card.faults.api.next, { fault: 'error_after_effect', on: ON });
  const { id } = await world.place(person);
  const sessions = card.sessions().filter((session) => session.client_reference_id === id);
  expect(sessions).toHaveLength(1);
  expect(await world.checkoutOf(id)).toBe(sessions[0]?.id);
});

test('an answer that was lost is found again when the order can no longer be asked for in the same words', async () => {
  const person = await world.account('words@example.com');
  planFaults(card.faults.api.next, { fault: 'lost_answer', on: ON }, { fault: 'no_answer', on: ON });
  expect(codeOf(await world.tryPlace(person))).toBe('vendor_unavailable');
  await later(10 * MINUTE);
  await later(MINUTE);
  const [order] = await ordersOf(person);
  expect(order?.checkoutUrl).not.toBeNull();
  expect(card.sessions().filter((session) => session.client_reference_id === order?.id)).toHaveLength(1);
});

test('a debit is money that is promised: the order waits for it, and is paid, or given up with its credit', async () => {
  const debits = await startBilling({ STRIPE_PAYMENT_METHODS: 'card,us_bank_account' });
  const { bank } = debits.sandbox.card;
  const staff = await debits.account('desk@example.com', 'STAFF');
  const promised = async (name: string) => {
    const person = await debits.account(`${name}@example.com`);
    await debits.grant(person.id, 500, staff.viewer);
    const { id } = await debits.place(person);
    bank.promiseDebit(await debits.checkoutOf(id));
    await debits.settle();
    const [order] = dataOf<Listed>(await debits.ask(person.viewer, ORDERS), 'me').orders;
    expect(order).toMatchObject({ status: 'PENDING', checkoutUrl: null });
    debits.clock.advance(HOUR);
    await debits.platform.queue.runNow('accounts.orders-reconcile');
    return { person, id };
  };
  const [good, bad] = [await promised('good'), await promised('bad')];
  bank.settleDebit(await debits.checkoutOf(good.id), true);
  bank.settleDebit(await debits.checkoutOf(bad.id), false);
  await debits.settle();
  const statusOf = async ({ person }: typeof good) => dataOf<Listed>(await debits.ask(person.viewer, ORDERS), 'me').orders[0]?.status;
  expect([await statusOf(good), await statusOf(bad)]).toEqual(['PAID', 'EXPIRED']);
  expect([await debits.balance(good.person), await debits.balance(bad.person)]).toEqual([0, 500]);
  await debits.close();
});

test('by configuration cards alone are taken, whatever the dashboard of the processor has switched on', async () => {
  const person = await world.account('cards@example.com');
  const { id } = await world.place(person);
  expect(card.sessions().find((session) => session.client_reference_id === id)?.payment_method_types).toEqual(['card']);
});
