import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SubscriptionWorld, startSubscriptions } from './subscription-world.ts';
import { setFaults } from '../../../../kit/faults.ts';

/** More than are looked at together. */
const OTHERS = 501;

let world: SubscriptionWorld;
beforeAll(async () => {
  world = await startSubscriptions();
});
afterAll(() => world.close());

test('a subscription renews in time, without a notice too, however many before it are suspended and looked at again and again', async () => {
  const { id } = await world.subscribe(await world.account('late@example.com'));
  const copies = (table: string, changed: string, which: string) =>
    world.query(
      `insert into accounts.${table} select (jsonb_populate_record(t, jsonb_build_object('id', 'a' || n, ${changed}))).*
       from accounts.${table} t, generate_series(1, ${OTHERS}) n where ${which} = $1`,
      [id],
    );
  await copies(
    'customer_order',
    `'offer_id', 'a' || n, 'idempotency_key', 'a' || n, 'checkout_id', null, 'subscription_id', null`,
    'subscription_id',
  );
  await copies(
    'billing_subscription',
    `'order_id', 'a' || n, 'status', 'UNPAID', 'suspended_at', t.current_period_end, 'processor_id', null`,
    't.id',
  );
  setFaults(world.sandbox.card.faults.webhooks, { drop: 1 });
  await world.toPeriodEnd(id);
  const [, renewal] = await world.orders(id);
  expect(renewal).toMatchObject({ kind: 'RENEWAL', status: 'FULFILLED' });
});
