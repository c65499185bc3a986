// Orders by card, with only the room accounts running, for the test files that call `openCardOrders`.
import { afterAll, beforeAll } from 'vitest';
import type { Viewer } from '#platform/identity.ts';
import { type AccountsWorld, startAccounts } from '../../world.ts';
import { checkoutOf, rowsOf } from '../../../../kit/tables.ts';

export let world: AccountsWorld;
/** Starts the world before the tests of the calling file, and closes it after them. */
export function openCardOrders(): void {
  beforeAll(async () => {
    world = await startAccounts();
  });
  afterAll(() => world.close());
}
const PLACE = `mutation ($offer: String!, $idempotencyKey: String!) {
  orderPlace(offer: $offer, method: CARD, idempotencyKey: $idempotencyKey) { id status checkoutUrl total { amountMinor currency } }
}`;

export const CANCEL = 'mutation ($id: ID!) { orderCancel(id: $id) { id status checkoutUrl } }';
const ORDER =
  'query ($id: ID!) { order(id: $id) { id status title paidAt fulfilledAt resourceId lines { label quantity amount { amountMinor } } } }';

export interface Placed {
  id: string;
  status: string;
  checkoutUrl: string | null;
}

let keys = 0;
export const place = (viewer: Viewer, offer: string, idempotencyKey = `key-${String(++keys).padStart(8, '0')}`) =>
  world.ask(viewer, PLACE, { offer, idempotencyKey });

export const placed = async (viewer: Viewer & { accountId?: string }): Promise<Placed> =>
  (await place(viewer, world.offer(viewer.accountId ?? ''))).data?.['orderPlace'] as Placed;

export const stateOf = async (viewer: Viewer, id: string) =>
  (await world.ask(viewer, ORDER, { id })).data?.['order'] as Record<string, unknown>;
export const pay = async (orderId: string, card?: string) => world.sandbox.card.payCheckout(await checkoutOf(world.query, orderId), card);
/** Resolves when the card processor's webhooks have arrived and their jobs have run. */
export const settle = async () => {
  await world.sandbox.card.deliver();
  await world.platform.queue.drain();
};

export const paidEvents = (orderId: string) =>
  rowsOf(world.query, 'platform.event', { type: 'order.paid', subject: orderId }, { columns: 'data' });

export const paymentsOf = (orderId: string) =>
  rowsOf(world.query, 'accounts.payment', { order_id: orderId }, { columns: 'amount_minor, processor_id' });
