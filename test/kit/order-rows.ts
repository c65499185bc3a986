// Reads columns of orders that the API does not show, and adds orders to the table.
import { type Query, rowsOf } from './tables.ts';

/** The prefix of checkout ids that the processor does not know. */
const UNKNOWN = 'cs_unknown_';

export const orderRows = (query: Query) => ({
  pending: () => rowsOf<{ id: string }>(query, 'accounts.customer_order', { status: 'PENDING' }, { columns: 'id' }),
  /** Orders for which the buyer's network is still stored. */
  withAddressKept: () => rowsOf<{ order_id: string }>(query, 'accounts.order_trace'),
  /** The statuses that at least one order has now. */
  statusesSeen: async (): Promise<string[]> =>
    (await query<{ status: string }>('select distinct status from accounts.customer_order order by status')).map(({ status }) => status),
  /** Adds `count` copies of an order, placed a minute before it, with checkouts that the processor does not know. */
  async addUnknown(orderId: string, count: number): Promise<void> {
    await query(
      `insert into accounts.customer_order select (jsonb_populate_record(o, jsonb_build_object(
         'id', o.id || n, 'offer_id', o.offer_id || n, 'idempotency_key', o.idempotency_key || n, 'checkout_id', $2 || n,
         'placed_at', o.placed_at - interval '1 minute'))).* from accounts.customer_order o, generate_series(1, $3::int) n where o.id = $1`,
      [orderId, UNKNOWN, count],
    );
  },
  async removeUnknown(): Promise<void> {
    await query('delete from accounts.customer_order where starts_with(checkout_id, $1)', [UNKNOWN]);
  },
  /** The order's crypto checkouts that are still watched for payments. */
  watchedOf: (orderId: string) =>
    query<{ order_id: string }>('select order_id from accounts.crypto_checkout where order_id = $1 and watched_until is not null', [
      orderId,
    ]),
  /** Appends the event "change made" for every paid change of a VPS, in one statement and on the test's own connection. */
  async adjustPaid(at: Date): Promise<void> {
    await query(
      `insert into platform.event (type, at, account_id, subject, data)
       select 'compute_vps.adjusted', $1, account_id, 'vps_' || id, jsonb_build_object('orderId', id)
       from accounts.customer_order where kind = 'CHANGE' and status = 'PAID'`,
      [at],
    );
  },
});
