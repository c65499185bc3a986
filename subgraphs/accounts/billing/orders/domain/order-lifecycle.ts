import type { Lifecycle } from '#platform/lifecycle.ts';

/** A purchase, a change of a subscription, its next period. */
export const ORDER_KINDS = ['PURCHASE', 'CHANGE', 'RENEWAL'] as const;
export type OrderKind = (typeof ORDER_KINDS)[number];

export const ORDER_STATUSES = ['PENDING', 'PAID', 'FULFILLED', 'CANCELLED', 'EXPIRED', 'REFUNDED'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];
export type OrderEvent = 'paid' | 'delivered' | 'cancelled' | 'expired' | 'refunded' | 'withdrawn';

/** Money that arrives after the order was given up is still an order paid: it is delivered, never kept for nothing. */
export const ORDER_LIFECYCLE: Lifecycle<OrderStatus, OrderEvent> = [
  { on: 'paid', from: ['PENDING', 'CANCELLED', 'EXPIRED'], to: 'PAID' },
  { on: 'delivered', from: ['PAID'], to: 'FULFILLED' },
  { on: 'cancelled', from: ['PENDING'], to: 'CANCELLED' },
  { on: 'expired', from: ['PENDING'], to: 'EXPIRED' },
  { on: 'refunded', from: ['PAID'], to: 'REFUNDED' },
  // Delivered, then taken back with all of its money.
  { on: 'withdrawn', from: ['FULFILLED'], to: 'REFUNDED' },
];
