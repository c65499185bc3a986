import { type InferEntity, LockMode, type RequiredEntityData, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import { everyRow } from '#platform/every-row.ts';
import type { HoldRefusal } from '#platform/holds.ts';
import { containing } from '#platform/search-words.ts';
import type { OfferLine, OfferSubscription, OfferTerms } from '#commerce/offers.ts';
import type { OrderKind, OrderStatus } from '../domain/order-lifecycle.ts';
import type { PaymentMethod } from '../../payments/domain/payment-method.ts';

/** `before`: once a change has been made, the lines that recurred until then. */
export type OrderSubscription = OfferSubscription & { before?: OfferLine[] };

/** The table is `customer_order`: `order` is a word of SQL. */
export const Order = defineEntity({
  name: 'Order',
  tableName: 'customer_order',
  properties: (p) => ({
    id: p.string().primary(),
    accountId: p.string(),
    offerId: p.string(),
    idempotencyKey: p.string(),
    status: p.string().$type<OrderStatus>(),
    method: p.string().$type<PaymentMethod>(),
    title: p.string(),
    kind: p.string().$type<OrderKind>(),
    /** True: a setting of the account or a key placed it, and the account's saved means are charged. */
    automatic: p.boolean(),
    /** The key that has placed it. */
    apiKeyId: p.string().nullable(),
    lines: p.json<OfferLine[]>(),
    /** What a coupon has taken off, as a negative amount; it is one of the lines too. */
    discountMinor: p.bigint('number'),
    currency: p.string(),
    subtotalMinor: p.bigint('number'),
    taxBasisPoints: p.integer(),
    taxMinor: p.bigint('number'),
    /** The part of the price with tax that the account's credit pays. */
    creditMinor: p.bigint('number'),
    /** The rest, which is paid, or was paid, through the order's method. */
    totalMinor: p.bigint('number'),
    /** Account credit that paying it grants, before tax. */
    grantMinor: p.bigint('number'),
    /** The subscription that it starts or changes, as the offer said. */
    subscription: p.json<OrderSubscription>().nullable(),
    subscriptionId: p.string().nullable(),
    /** The period that a renewal pays for; for a purchase whose period begins at delivery, the period since then. */
    periodStart: p.datetime().nullable(),
    periodEnd: p.datetime().nullable(),
    /** For a renewal that is charged: the processor's id of the charge. */
    chargeId: p.string().nullable().fieldName('processor_invoice_id'),
    seller: p.string().$type<OfferTerms['seller']>(),
    fulfil: p.json<Record<string, unknown>>(),
    checkoutId: p.string().nullable(),
    checkoutUrl: p.string().nullable(),
    /** Since when its checkout cannot be paid any more, according to the processor. */
    checkoutClosedAt: p.datetime().nullable(),
    /** When a waiting order was last compared with what the processor says. */
    comparedAt: p.datetime().nullable(),
    placedAt: p.datetime(),
    expiresAt: p.datetime(),
    paidAt: p.datetime().nullable(),
    fulfilledAt: p.datetime().nullable(),
    resourceId: p.string().nullable(),
    /** Whether the seller holds stock for it: ASKED when it was placed, LATE when its buyer could not wait for the answer; null: it needs none. */
    hold: p.string().$type<'ASKED' | 'LATE' | 'HELD' | 'REFUSED'>().nullable(),
    /** Until when the seller holds it. */
    holdExpiresAt: p.datetime().nullable(),
    /** Why the seller holds no stock for it. */
    holdRefusal: p.json<HoldRefusal>().nullable(),
  }),
});
export type Order = InferEntity<typeof Order>;

/** The fields that a new order must have; all other columns are empty unless given. */
type NewOrder = Partial<Order> &
  Pick<
    Order,
    'id' | 'accountId' | 'offerId' | 'idempotencyKey' | 'method' | 'title' | 'kind' | 'seller' | 'fulfil' | 'placedAt' | 'expiresAt'
  > &
  Pick<Order, 'lines' | 'currency' | 'subtotalMinor' | 'taxBasisPoints' | 'taxMinor' | 'creditMinor' | 'totalMinor'>;

/** The row of an order that waits for its payment. */
export const newOrder = (said: NewOrder): Order => ({
  status: 'PENDING',
  automatic: false,
  apiKeyId: null,
  grantMinor: 0,
  discountMinor: 0,
  subscription: null,
  subscriptionId: null,
  periodStart: null,
  periodEnd: null,
  chargeId: null,
  checkoutId: null,
  checkoutUrl: null,
  checkoutClosedAt: null,
  comparedAt: null,
  paidAt: null,
  fulfilledAt: null,
  resourceId: null,
  hold: null,
  holdExpiresAt: null,
  holdRefusal: null,
  ...said,
});

/** Inserts one row at once. */
export async function insertOrder(em: EntityManager, row: Order): Promise<Order> {
  const order = em.create(Order, row);
  await em.flush();
  return order;
}

export const orderWithId = (em: EntityManager, id: string): Promise<Order | null> => em.findOne(Order, { id });

/** Newest first. */
export const ordersWithIds = (em: EntityManager, ids: string[]): Promise<Order[]> =>
  em.find(Order, { id: { $in: ids } }, { orderBy: { id: 'desc' } });

/** An order that is known to exist. */
export const existingOrder = (em: EntityManager, id: string): Promise<Order> => em.findOneOrFail(Order, { id });

/** The order that an account has placed with an offer. */
export const orderOfOffer = (em: EntityManager, offerId: string, accountId: string): Promise<Pick<Order, 'id'> | null> =>
  em.findOne(Order, { offerId, accountId }, { fields: ['id'] });

export const ordersOfAccount = (em: EntityManager, accountId: string): Promise<Order[]> =>
  em.find(Order, { accountId }, { orderBy: { id: 'desc' }, limit: 200 });

/** A page of an account's orders, newest first; `after` is the last id of the page before. `search`: words of the title, or the whole id. */
export const pageOfOrders = (
  em: EntityManager,
  accountId: string,
  limit: number,
  { after, search }: { after?: string | undefined; search?: string | undefined },
): Promise<Order[]> =>
  em.find(
    Order,
    {
      accountId,
      ...(after !== undefined && { id: { $lt: after } }),
      ...(search && { $or: [{ title: { $ilike: containing(search) } }, { id: { $eq: search.toLowerCase() } }] }),
    },
    { orderBy: { id: 'desc' }, limit },
  );

/** Whether an account has ever paid for an order that was not refunded; `but`: an order that does not count. */
export const hasPaidOrder = async (em: EntityManager, accountId: string, but?: string): Promise<boolean> =>
  (await em.count(Order, {
    accountId,
    ...(but !== undefined && { id: { $ne: but } }),
    status: { $in: ['PAID', 'FULFILLED'] },
    $or: [{ totalMinor: { $gt: 0 } }, { creditMinor: { $gt: 0 } }],
  })) > 0;

/**
 * The order under a row lock, and before it under its account's (`lockMoneyOf`), as it is now: for changes. What this unit of work has changed is
 * written first, or the fresh row would undo it.
 */
export async function lockOrder(em: EntityManager, id: string): Promise<Order | null> {
  await em.flush();
  await sql`select from account where id = (select account_id from customer_order where id = ${id}) for no key update`.execute(
    em.getKysely(),
  );
  return em.findOne(Order, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}

/** The order of that account; null also when it is another's. */
export const orderOfOwner = (em: EntityManager, id: string, accountId: string): Promise<Order | null> =>
  em.findOne(Order, { id, accountId });

/** The order that an account has placed with an idempotency key. */
export const orderOfKey = (em: EntityManager, accountId: string, idempotencyKey: string): Promise<Order | null> =>
  em.findOne(Order, { accountId, idempotencyKey });

/** The subscription that an account pays a resource of a seller by; null: none, or it is not delivered yet. */
export const subscriptionIdOfResource = async (
  em: EntityManager,
  resource: Pick<Order, 'accountId' | 'seller' | 'resourceId'>,
): Promise<string | null> =>
  (await em.findOne(Order, { ...resource, subscriptionId: { $ne: null } }, { fields: ['subscriptionId'] }))?.subscriptionId ?? null;

/** Purchase, changes and renewals of a subscription, newest first, at most 200. */
export const ordersOfSubscription = (em: EntityManager, subscriptionId: string): Promise<Order[]> =>
  em.find(Order, { subscriptionId }, { orderBy: { id: 'desc' }, limit: 200 });

/** The ids of all orders of a subscription. */
export const orderIdsOfSubscription = async (em: EntityManager, subscriptionId: string): Promise<string[]> =>
  (await em.find(Order, { subscriptionId }, { fields: ['id'] })).map(({ id }) => id);

/** Purchases of a subscription whose period began with their delivery and is not over, whatever their invoices say of it. */
export const begunOrderIds = async (em: EntityManager, subscriptionId: string, now: Date): Promise<string[]> =>
  (await em.find(Order, { subscriptionId, kind: 'PURCHASE', periodEnd: { $gt: now } }, { fields: ['id'] })).map(({ id }) => id);

/** Whether a change of a subscription is paid and not delivered yet; with `since`, or was delivered after that moment. */
export const hasPaidChange = async (em: EntityManager, subscriptionId: string, since?: Date): Promise<boolean> =>
  (await em.count(Order, {
    subscriptionId,
    kind: 'CHANGE',
    $or: [{ status: 'PAID' }, ...(since ? [{ status: 'FULFILLED' as const, fulfilledAt: { $gt: since } }] : [])],
  })) > 0;

/** An account's orders that wait for a payment by one of these methods, oldest first; renewals and automatic ones are none of its asking. */
export const ordersWaiting = (em: EntityManager, accountId: string, methods: PaymentMethod[]): Promise<Pick<Order, 'id' | 'title'>[]> =>
  em.find(
    Order,
    { accountId, status: 'PENDING', kind: { $ne: 'RENEWAL' }, automatic: false, method: { $in: methods }, totalMinor: { $gt: 0 } },
    { orderBy: { placedAt: 'asc', id: 'asc' }, fields: ['id', 'title'] },
  );

/** The ids of everything of an account that waits for its payment, oldest first. */
export const pendingIdsOf = async (em: EntityManager, accountId: string): Promise<string[]> =>
  (await em.find(Order, { accountId, status: 'PENDING' }, { orderBy: { id: 'asc' }, fields: ['id'] })).map(({ id }) => id);

/** Whether it was written: of several with one key or offer, one is. */
export const insertOrderOnce = async (em: EntityManager, row: RequiredEntityData<Order>): Promise<boolean> =>
  (await em.qb(Order).insert(row).onConflict().ignore().execute('run')).affectedRows === 1;

/** The one whose checkout the processor calls so. */
export const orderAtCheckout = (em: EntityManager, checkoutId: string): Promise<Order | null> => em.findOne(Order, { checkoutId });

export type OverOrder = Pick<Order, 'id' | 'method'> & { checkoutId: string | null };

/**
 * Orders that are over at `now` and whose checkout is not closed, or whose credit is still held, by id; `charged`: methods of which a charge may be
 * under way.
 */
export const unclosedOrders = (em: EntityManager, charged: PaymentMethod[], now: Date): AsyncGenerator<OverOrder> =>
  everyRow(async (cursor, limit) => {
    const { rows } = await sql<OverOrder>`
      select id, method, checkout_id as "checkoutId" from customer_order as held
      where id > ${cursor} and status in ('CANCELLED', 'EXPIRED') and (
        (checkout_id is not null and checkout_closed_at is null)
        or (credit_minor > 0 and (checkout_id is not null or method <> all(${charged}::text[]) or expires_at <= ${now})
          and not exists (select from journal where kind = 'credit_released' and reference = held.id)))
      order by id limit ${limit}`.execute(em.getKysely());
    return rows;
  });

export type WaitingOrder = Pick<Order, 'id' | 'kind' | 'method' | 'checkoutId' | 'expiresAt'>;

/**
 * Orders that wait since before `placedBefore` and that a look may move: with a checkout, over at `now`, or of one of the methods whose checkout
 * opens by itself. Those that were compared longest ago come first. A renewal's checkout opens when its owner wants it.
 */
export const ordersToCompare = (
  em: EntityManager,
  { now, placedBefore, opening, limit }: { now: Date; placedBefore: Date; opening: PaymentMethod[]; limit: number },
): Promise<WaitingOrder[]> =>
  em.find(
    Order,
    {
      status: 'PENDING',
      placedAt: { $lt: placedBefore },
      $or: [{ checkoutId: { $ne: null } }, { expiresAt: { $lte: now } }, { kind: { $ne: 'RENEWAL' }, method: { $in: opening } }],
    },
    {
      orderBy: [{ comparedAt: 'asc nulls first' }, { placedAt: 'asc' }],
      limit,
      fields: ['id', 'kind', 'method', 'checkoutId', 'expiresAt'],
    },
  );

export async function markCompared(em: EntityManager, ids: string[], now: Date): Promise<void> {
  await em.nativeUpdate(Order, { id: { $in: ids } }, { comparedAt: now });
}

export type OpenRenewal = Pick<Order, 'id' | 'status' | 'method' | 'chargeId'>;

/** Renewals with a charge at the processor that may still be paid, by id. */
export const openRenewals = (em: EntityManager): AsyncGenerator<OpenRenewal> => {
  const open = { status: { $in: ['PENDING' as const, 'CANCELLED' as const, 'EXPIRED' as const] }, checkoutClosedAt: null };
  return everyRow((cursor, limit) =>
    em.find(
      Order,
      { id: { $gt: cursor }, kind: 'RENEWAL', ...open, chargeId: { $ne: null } },
      { orderBy: { id: 'asc' }, limit, fields: ['id', 'status', 'method', 'chargeId'] },
    ),
  );
};

/** What its processor asks for a renewal, and where its owner pays that. */
export async function noteCharge(em: EntityManager, id: string, charge: Pick<Order, 'chargeId' | 'checkoutUrl'>): Promise<void> {
  await em.nativeUpdate(Order, { id }, charge);
}
