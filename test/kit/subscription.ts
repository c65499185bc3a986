// Inserts a subscription as a purchase leaves it, for tests that only read subscriptions.
import type { TestDatabase } from './database.ts';

interface Given {
  id: string;
  accountId: string;
  status?: string;
  amountMinor?: number;
  currentPeriodEnd?: string;
}

/** Inserts a monthly subscription of the seller static, and its order, whose id is the subscription's with `ord_` in place of `sub_`. */
export async function insertSubscription(
  query: TestDatabase['query'],
  { id, accountId, status = 'ACTIVE', amountMinor = 240, currentPeriodEnd = '2030-03-01T00:00:00Z' }: Given,
): Promise<void> {
  const orderId = id.replace('sub_', 'ord_');
  const lines = JSON.stringify([{ label: 'Proxies', quantity: 1, amountMinor }]);
  await query(
    `insert into accounts.customer_order (id, account_id, offer_id, idempotency_key, status, method, title, lines, currency, subtotal_minor, tax_minor,
       total_minor, seller, fulfil, placed_at, expires_at)
     values ($1, $2, 'offer of ' || $1, 'key of ' || $1, 'FULFILLED', 'CARD', 'Proxies', $3, 'USD', $4, 0, $4, 'static', '{}', now(), now())`,
    [orderId, accountId, lines, amountMinor],
  );
  await query(
    `insert into accounts.billing_subscription (id, account_id, order_id, seller, title, method, status, lines, amount_minor, currency, interval,
       interval_count, started_at, current_period_start, current_period_end, anchor_at, ended_at, end_reason)
     values ($1, $2, $3, 'static', 'Proxies', 'CARD', $4, $5, $6, 'USD', 'MONTH', 1, now(), $7::timestamptz - interval '1 month', $7, $7,
       case when $4 = 'CANCELED' then now() end, case when $4 = 'CANCELED' then 'CANCELLED' end)`,
    [id, accountId, orderId, status, lines, amountMinor, currentPeriodEnd],
  );
}

/** Adds `count` copies of a subscription and its order, suspended since the end of its period. Their ids sort before all others. */
export async function addSuspended(query: TestDatabase['query'], id: string, count: number): Promise<void> {
  const copies = (table: string, changed: string, which: string) =>
    query(
      `insert into accounts.${table} select (jsonb_populate_record(t, jsonb_build_object('id', 'a' || n, ${changed}))).*
       from accounts.${table} t, generate_series(1, $2::int) n where ${which} = $1`,
      [id, count],
    );
  const changedOrder = `'offer_id', 'a' || n, 'idempotency_key', 'a' || n, 'checkout_id', null, 'subscription_id', null`;
  await copies('customer_order', changedOrder, 'subscription_id');
  const changed = `'order_id', 'a' || n, 'status', 'UNPAID', 'suspended_at', t.current_period_end, 'processor_id', null`;
  await copies('billing_subscription', changed, 't.id');
}
