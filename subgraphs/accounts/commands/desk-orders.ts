// The desk's commands on what is bought: orders and what they delivered, transfers, what sales agreed.
import { formatMoney, toMinor } from '#commerce/money.ts';
import { type ArrangementKind, arrangementsOfAccount } from '../support/entities/arrangement.ts';
import { subscriptionsOfAccount } from '../billing/subscriptions/entities/billing-subscription.ts';
import { type Order, ordersOfAccount } from '../billing/orders/entities/order.ts';
import { openSalesRequests } from '../support/entities/sales-request.ts';
import type { Context } from '../context.ts';
import { endArrangement, recordArrangement } from '../support/services/arrangements.ts';
import { confirmTransfer } from '../billing/payments/services/bank-transfer.ts';
import { closeSalesRequest } from '../support/services/sales-requests.ts';
import { type OrderRemedy, remedyOrder } from '../support/services/support.ts';
import { type SupportOrderList, supportOrders } from '../support/services/support-orders.ts';
import { type Command, Refusal, accountOf, table, toMoment } from './desk.ts';

const LISTS: readonly SupportOrderList[] = ['STUCK', 'TRANSFERS', 'COINS'];
const KINDS: readonly ArrangementKind[] = ['VOLUME', 'PLAN', 'PRICE', 'SLA'];

/** A word of the command line as one of a set, whatever its letter case. */
function oneOf<Value extends string>(values: readonly Value[], option: string, word: string | undefined): Value {
  const found = values.find((value) => value === word?.toUpperCase());
  if (!found) throw new Refusal(`${option} is one of ${values.join(', ').toLowerCase()}.`);
  return found;
}

const price = (order: Order) => formatMoney({ amountMinor: order.totalMinor, currency: order.currency });

export const ORDER_COMMANDS: Readonly<Record<string, Command>> = {
  orders: {
    words: 'ACCOUNT',
    about: 'the orders of an account',
    async run(ctx, { of }) {
      const orders = await ordersOfAccount(ctx.em, (await accountOf(ctx, of)).id);
      return table(orders.map((order) => [order.id, order.status, order.title, price(order), order.placedAt.toISOString()]));
    },
  },
  owned: {
    words: 'ACCOUNT',
    about: 'the plans and servers that were delivered to an account, and until when they are paid',
    run: async (ctx, { of }) => table(await owned(ctx, (await accountOf(ctx, of)).id)),
  },
  waiting: {
    words: 'stuck|transfers|coins',
    about: 'orders that need a look, over all accounts, oldest first',
    async run(ctx, { of }) {
      const orders = await supportOrders(ctx, oneOf(LISTS, 'The list', of));
      return table(
        orders.map((order) => [order.id, order.accountId, order.status, order.title, price(order), order.placedAt.toISOString()]),
      );
    },
  },
  recheck: { words: 'ORDER-ID', about: 'asks the processor for the payment of an order', run: (ctx, { of }) => remedy(ctx, of, 'RECHECK') },
  redeliver: {
    words: 'ORDER-ID',
    about: 'tells the seller once more that an order is paid',
    run: (ctx, { of }) => remedy(ctx, of, 'REDELIVER'),
  },
  'cancel-order': { words: 'ORDER-ID', about: 'gives up an order that is not paid', run: (ctx, { of }) => remedy(ctx, of, 'CANCEL') },
  'confirm-transfer': {
    words: 'ORDER-ID --amount 500.00 --reference BANK-REFERENCE',
    about: 'a bank transfer has arrived; what the order does not need becomes account credit',
    async run(ctx, { of, amount, reference }) {
      if (amount === undefined || reference === undefined)
        throw new Refusal('Say what has arrived: --amount 500.00 --reference BANK-REFERENCE.');
      if (!/^\d+(\.\d{1,2})?$/.test(amount)) throw new Refusal(`--amount is what has arrived, such as 500.00, not ${amount}.`);
      // The bank's reference counts once whoever says it, so the same words again are the same request.
      const order = await confirmTransfer(ctx, {
        orderId: of,
        amountMinor: toMinor(amount),
        bankReference: reference,
        idempotencyKey: `command ${of} ${reference}`,
      });
      return `${order.id} is ${order.status}.`;
    },
  },
  agreements: {
    words: 'ACCOUNT',
    about: 'what sales agreed with an account',
    async run(ctx, { of }) {
      const agreed = await arrangementsOfAccount(ctx.em, (await accountOf(ctx, of)).id);
      return table(
        agreed.map(({ id, kind, terms, recordedAt, validUntil, endedAt }) => [
          id,
          kind,
          endedAt ? `ended ${endedAt.toISOString()}` : validUntil && `until ${validUntil.toISOString()}`,
          recordedAt.toISOString(),
          terms,
        ]),
      );
    },
  },
  agree: {
    words: 'ACCOUNT --kind volume|plan|price|sla --terms TEXT [--until 365d] [--offer TOKEN] [--request ID]',
    about: 'writes down what sales agreed with an account; with an offer its owner can buy it',
    async run(ctx, { of, kind, terms, until, offer, request }) {
      if (terms === undefined) throw new Refusal('Say what was agreed: --terms TEXT.');
      const agreed = await recordArrangement(ctx, {
        accountId: (await accountOf(ctx, of)).id,
        kind: oneOf(KINDS, '--kind', kind),
        terms,
        offer,
        requestId: request,
        validUntil: toMoment(ctx, 'until', until),
      });
      return `${agreed.id} is written down.`;
    },
  },
  'end-agreement': {
    words: 'ID',
    about: 'ends what sales agreed',
    run: async (ctx, { of }) => `${(await endArrangement(ctx, of)).id} has ended.`,
  },
  'sales-requests': {
    words: '',
    about: 'who waits for sales',
    run: async (ctx) =>
      table(
        (await openSalesRequests(ctx.em)).map(({ id, accountId, product, volume, createdAt, message }) => [
          id,
          accountId,
          product,
          volume,
          createdAt.toISOString(),
          message,
        ]),
      ),
  },
  'close-sales-request': {
    words: 'ID',
    about: 'sales has answered, or will not',
    run: async (ctx, { of }) => `${(await closeSalesRequest(ctx, of)).id} is closed.`,
  },
};

async function remedy(ctx: Context, id: string, act: OrderRemedy): Promise<string> {
  const order = await remedyOrder(ctx, { id, remedy: act });
  return `${order.id} is ${order.status}.`;
}

/** What a subscription pays for stands by that, with its end; what was bought once, by its order. How each fares is its product's to say. */
async function owned(ctx: Context, accountId: string) {
  const subscriptions = new Map((await subscriptionsOfAccount(ctx.em, accountId)).map((each) => [each.id, each]));
  const delivered = (await ordersOfAccount(ctx.em, accountId)).filter(({ kind, resourceId }) => kind === 'PURCHASE' && resourceId);
  return delivered.map(({ id, resourceId, seller, title, status, subscriptionId }) => {
    const paidFor = subscriptions.get(subscriptionId ?? '');
    return [
      resourceId,
      seller,
      paidFor?.title ?? title,
      paidFor?.status ?? status,
      paidFor
        ? `${paidFor.endedAt ? 'ended' : 'paid until'} ${(paidFor.endedAt ?? paidFor.currentPeriodEnd).toISOString()}`
        : 'bought once',
      id,
    ];
  });
}
