// The desk's commands on what is bought: orders and what they delivered, transfers, what sales agreed.
import { newId } from '#platform/ids.ts';
import { formatMoney, toMinor } from '#commerce/money.ts';
import { ARRANGEMENT_KINDS, arrangementsOfAccount } from '../sales/entities/arrangement.ts';
import { subscriptionsOfAccount } from '../billing/subscriptions/entities/billing-subscription.ts';
import { type Order, ordersOfAccount } from '../billing/orders/entities/order.ts';
import { openSalesRequests } from '../sales/entities/sales-request.ts';
import type { Context } from '../context.ts';
import { endArrangement, recordArrangement } from '../sales/services/arrangements.ts';
import { reverseCredit } from '../billing/ledger/services/reverse-credit.ts';
import { refundDestinations } from '../billing/payments/providers/payment-methods.ts';
import { refundOrder } from '../billing/refunds/services/refund-order.ts';
import { REFUNDED_SERVICES } from '../billing/refunds/services/take-back.ts';
import { checkEvidence } from '../billing/tax/services/order-tax.ts';
import { endBySupport } from '../billing/subscriptions/services/end-for-customer.ts';
import { confirmTransfer } from '../billing/incoming-payments/services/bank-transfer.ts';
import { closeSalesRequest } from '../sales/services/sales-requests.ts';
import { type OrderRemedy, remedyOrder } from '../support/services/support.ts';
import { type SupportOrderList, supportOrders } from '../support/services/support-orders.ts';
import { Refusal, table } from '#platform/desk-command.ts';
import { type Command, accountOf, oneOf, toMoment } from './desk.ts';

const LISTS: readonly SupportOrderList[] = ['STUCK', 'TRANSFERS', 'COINS', 'CONTRADICTED'];

const price = (order: Order) => formatMoney({ amountMinor: order.totalMinor, currency: order.currency });

export const ORDER_COMMANDS: Readonly<Record<string, Command>> = {
  orders: {
    permission: 'customers',
    words: 'ACCOUNT',
    about: 'the orders of an account',
    async run(ctx, { of }) {
      const orders = await ordersOfAccount(ctx.em, (await accountOf(ctx, of)).id);
      return table(orders.map((order) => [order.id, order.status, order.title, price(order), order.placedAt.toISOString()]));
    },
  },
  owned: {
    permission: 'customers',
    words: 'ACCOUNT',
    about: 'the plans and servers that were delivered to an account, and until when they are paid',
    run: async (ctx, { of }) => table(await owned(ctx, (await accountOf(ctx, of)).id)),
  },
  waiting: {
    permission: 'orders',
    words: 'stuck|transfers|coins|contradicted',
    about: 'orders that need a look, over all accounts, oldest first',
    async run(ctx, { of }) {
      const orders = await supportOrders(ctx, oneOf(LISTS, 'The list', of));
      return table(
        orders.map((order) => [order.id, order.accountId, order.status, order.title, price(order), order.placedAt.toISOString()]),
      );
    },
  },
  'evidence-checked': {
    permission: 'tax',
    words: 'ORDER-ID --reason TEXT',
    about: 'somebody has looked at where the buyer is, and says why the tax is right',
    async run(ctx, { of: id, reason = '' }) {
      const order = await checkEvidence(ctx, { id, reason });
      return `${order.id} is no longer listed as contradicted.`;
    },
  },
  recheck: {
    permission: 'orders',
    words: 'ORDER-ID',
    about: 'asks the processor for the payment of an order',
    run: (ctx, { of }) => remedy(ctx, of, 'RECHECK'),
  },
  redeliver: {
    permission: 'orders',
    words: 'ORDER-ID',
    about: 'tells the seller once more that an order is paid',
    run: (ctx, { of }) => remedy(ctx, of, 'REDELIVER'),
  },
  'cancel-order': {
    permission: 'orders',
    words: 'ORDER-ID',
    about: 'gives up an order that is not paid',
    run: (ctx, { of }) => remedy(ctx, of, 'CANCEL'),
  },
  'confirm-transfer': {
    permission: 'transfers',
    words: 'ORDER-ID --amount 500.00 --reference BANK-REFERENCE',
    about: 'a bank transfer has arrived; what the order does not need becomes account credit',
    async run(ctx, { of, amount, reference }) {
      if (amount === undefined || reference === undefined)
        throw new Refusal('Say what has arrived: --amount 500.00 --reference BANK-REFERENCE.');
      if (!/^\d+(\.\d{1,2})?$/.test(amount)) throw new Refusal(`--amount is what has arrived, such as 500.00, not ${amount}.`);
      // The reference of a bank counts once, whoever enters it, so the same words are the same request.
      const order = await confirmTransfer(ctx, {
        orderId: of,
        amountMinor: toMinor(amount),
        bankReference: reference,
        idempotencyKey: `command ${of} ${reference}`,
      });
      return `${order.id} is ${order.status}.`;
    },
  },
  refund: {
    permission: 'refund',
    words: 'ORDER-ID --to card|credit --reason TEXT [--amount 12.50] [--service leave|end_at_period_end|end_now]',
    about: 'gives money back; what the order bought is left, or ends',
    async run(ctx, { of, to, reason, amount, service }) {
      if (reason === undefined) throw new Refusal('Say why, as the customer will read it: --reason TEXT.');
      const refund = await refundOrder(ctx, {
        orderId: of,
        destination: oneOf(refundDestinations(), '--to', to),
        amountMinor: amount === undefined ? null : toMinor(amount),
        reason,
        service: service === undefined ? 'LEAVE' : oneOf(REFUNDED_SERVICES, '--service', service),
        idempotencyKey: newId('op', ctx.clock),
      });
      return `${refund.id} is ${refund.status}: ${formatMoney(refund)}.`;
    },
  },
  'reverse-credit': {
    permission: 'credit',
    words: 'LINE-ID --reason TEXT [--amount left]',
    about: 'takes back a wrong grant or a mistyped transfer, by its line in the statement; `left`: what is not spent of it',
    async run(ctx, { of, reason, amount }) {
      if (reason === undefined) throw new Refusal('Say why, as the customer will read it: --reason TEXT.');
      return `The balance is ${formatMoney(await reverseCredit(ctx, { lineId: of, whatIsLeft: amount === 'left', reason }))}.`;
    },
  },
  'end-subscription': {
    permission: 'subscriptions',
    words: 'SUBSCRIPTION-ID --when now|period_end --reason TEXT',
    about: 'ends a subscription; nothing is given back',
    async run(ctx, { of, when, reason }) {
      if (reason === undefined) throw new Refusal('Say why, as the customer will read it: --reason TEXT.');
      const atPeriodEnd = oneOf(['NOW', 'PERIOD_END'], '--when', when) === 'PERIOD_END';
      const { title, status, currentPeriodEnd } = await endBySupport(ctx, { id: of, atPeriodEnd, reason });
      return status === 'CANCELED' ? `${title} has ended.` : `${title} ends on ${currentPeriodEnd.toISOString()}.`;
    },
  },
  agreements: {
    permission: 'customers',
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
    permission: 'sales',
    words: 'ACCOUNT --kind volume|plan|price|sla --terms TEXT [--until 365d] [--offer TOKEN] [--request ID]',
    about: 'writes down what sales agreed with an account; with an offer its owner can buy it',
    async run(ctx, { of, kind, terms, until, offer, request }) {
      if (terms === undefined) throw new Refusal('Say what was agreed: --terms TEXT.');
      const agreed = await recordArrangement(ctx, {
        accountId: (await accountOf(ctx, of)).id,
        kind: oneOf(ARRANGEMENT_KINDS, '--kind', kind),
        terms,
        offer,
        requestId: request,
        validUntil: toMoment(ctx, 'until', until),
      });
      return `${agreed.id} is written down.`;
    },
  },
  'end-agreement': {
    permission: 'sales',
    words: 'ID',
    about: 'ends what sales agreed',
    run: async (ctx, { of }) => `${(await endArrangement(ctx, of)).id} has ended.`,
  },
  'sales-requests': {
    permission: 'sales',
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
    permission: 'sales',
    words: 'ID',
    about: 'sales has answered, or will not',
    run: async (ctx, { of }) => `${(await closeSalesRequest(ctx, of)).id} is closed.`,
  },
};

async function remedy(ctx: Context, id: string, act: OrderRemedy): Promise<string> {
  const order = await remedyOrder(ctx, { id, remedy: act });
  return `${order.id} is ${order.status}.`;
}

/**
 * What an account has bought. A subscription is listed with its end, a single purchase with its order. Their own state is known only to the subgraph that sold
 * them.
 */
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
