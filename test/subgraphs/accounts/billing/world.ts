// The world of accounts, extended by billing: buying, paying, and reading the ledger.
import type { Viewer } from '#platform/identity.ts';
import type { OfferTerms } from '#commerce/offers.ts';
import { type AccountsWorld, dataOf, startAccounts } from '../world.ts';
import { placeOrder } from '../../../kit/purchase.ts';
import { eventRows } from '../../../kit/event-rows.ts';
import { ledgerRows } from '../../../kit/ledger-rows.ts';
import { checkoutOf } from '../../../kit/tables.ts';

const PLACE = placeOrder(
  'id status checkoutUrl lines { label quantity amount { amountMinor } } subtotal { amountMinor } tax { amountMinor } credit { amountMinor } total { amountMinor }',
);

export interface PlacedOrder {
  id: string;
  status: string;
  checkoutUrl: string | null;
  lines: { label: string; quantity: number; amount: { amountMinor: number } }[];
  subtotal: { amountMinor: number };
  tax: { amountMinor: number };
  credit: { amountMinor: number };
  total: { amountMinor: number };
}

export type Person = Awaited<ReturnType<AccountsWorld['account']>>;

export async function startBilling(environment: Record<string, string> = {}, options: Parameters<typeof startAccounts>[1] = {}) {
  const world = await startAccounts(environment, options);
  let keys = 0;
  const newKey = () => `billing-key-${++keys}`;
  const orderCheckout = (orderId: string) => checkoutOf(world.query, orderId);
  return {
    ...world,
    newKey,
    checkoutOf: orderCheckout,
    tryPlace: ({ id, viewer }: Person, terms: Partial<OfferTerms> = {}, key = newKey()) =>
      world.ask(viewer, PLACE, { offer: world.offer(id, terms), key }),
    async place(person: Person, terms: Partial<OfferTerms> = {}): Promise<PlacedOrder> {
      return dataOf<PlacedOrder>(await this.tryPlace(person, terms), 'orderPlace');
    },
    /** Sets the billing details of an account, with this country. */
    async moveTo({ viewer }: Person, country: string, more: { name?: string; taxId?: string | null } = {}) {
      const input = { name: 'A Customer', address: ['1 Road'], country, ...more };
      return world.ask(viewer, 'mutation ($input: BillingDetailsInput!) { billingDetailsSet(input: $input) { country taxId } }', { input });
    },
    pay: async (orderId: string, card?: string) => world.sandbox.card.payCheckout(await orderCheckout(orderId), card),
    /** Delivers webhooks and runs jobs and readers once. Resolves with whether anything was done. */
    async settle(): Promise<boolean> {
      const { card, crypto, paypal } = world.sandbox;
      const sent = () => card.attempts().length + crypto.attempts().length + paypal.attempts().length;
      const before = sent();
      await card.deliver();
      await crypto.deliver();
      await paypal.deliver();
      const moved = await world.platform.queue.drain();
      // Sellers and accounts read each other's events. One query asks first whether there are any, as most often there are none.
      const isHeard = world.sellers.length > 0 && (await eventRows(world.query).anyUnread(world.clock.now()));
      if (isHeard) for (const { reader } of [...world.sellers, world.subgraph]) await reader.drain();
      return (isHeard && (await world.platform.queue.drain())) || moved || sent() > before;
    },
    async buy(person: Person, terms: Partial<OfferTerms> = {}): Promise<PlacedOrder> {
      const order = await this.place(person, terms);
      if (order.status === 'PENDING') await this.pay(order.id);
      await this.settle();
      return order;
    },
    async grant(accountId: string, amountMinor: number, by: Viewer, key = newKey()) {
      const input = { accountId, amountMinor, currency: 'USD', reason: 'For your patience', idempotencyKey: key };
      return world.ask(by, 'mutation ($input: SupportCreditGrantInput!) { supportCreditGrant(input: $input) { amountMinor currency } }', {
        input,
      });
    },
    refund(
      by: Viewer,
      input: { orderId: string; destination: 'CARD' | 'PAYPAL' | 'CREDIT'; amountMinor?: number; reason?: string; idempotencyKey?: string },
    ) {
      return world.ask(
        by,
        'mutation ($input: SupportOrderRefundInput!) { supportOrderRefund(input: $input) { id status destination amount { amountMinor } } }',
        { input: { reason: 'It did not work', idempotencyKey: newKey(), ...input } },
      );
    },
    async balance({ viewer }: Person): Promise<number> {
      const me = dataOf<{ credit: { balance: { amountMinor: number } } }>(
        await world.ask(viewer, '{ me { credit { balance { amountMinor } } } }'),
        'me',
      );
      return me.credit.balance.amountMinor;
    },
    /** Ledger -> its sum in minor units. Counts only journals with these references; all journals if none is given. */
    books: (...references: string[]): Promise<Record<string, number>> => ledgerRows(world.query).sums(references),
  };
}

export type BillingWorld = Awaited<ReturnType<typeof startBilling>>;
