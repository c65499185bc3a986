// Where what was ordered is found, and where the same is sold, by the seller of the order.
import type { Order } from '#lib/ops/order.ts';

export const placeOf: Record<Order['seller'], (resourceId: string) => string> = {
  RESIDENTIAL: (id) => `/residential/${id}`,
  STATIC: (id) => `/static/${id}`,
  COMPUTE: (id) => `/servers/${id}`,
};

export const shopOf: Record<Order['seller'], string> = {
  RESIDENTIAL: '/residential/buy',
  STATIC: '/static/buy',
  COMPUTE: '/servers',
};
