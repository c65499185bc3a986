// For each seller, the page of what was ordered and the page where it is sold.
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
