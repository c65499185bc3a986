// Orders that a key places, up to a ceiling of each calendar month (UTC) that support has granted, and that its owner may lower.
import { monthStart } from '#platform/clock.ts';
import { accountOf, refuseOwnAccount } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { CURRENCY, formatMoney, usd } from '#commerce/money.ts';
import { type PlaceOrderInput, placeOrderByKey } from '../../billing/checkout/services/place-order.ts';
import type { Order } from '../../billing/orders/entities/order.ts';
import { orderedByKey } from '../../billing/orders/entities/order-figures.ts';
import { record } from '../../identity/services/activity.ts';
import { postToOwner } from '../../mail/services/mails.ts';
import { maskApiKey, statusOfKey } from '../domain/api-key.ts';
import { type ApiKey, keyOfAccount, keyWithId } from '../entities/api-key.ts';
import type { KeysContext } from '../context.ts';

/** The most that support may grant to a key for a month, in minor units. */
const MAX_GRANT_MINOR = 10_000_000;

/** The page on which an owner sees the keys. */
const keysPage = ({ providers }: KeysContext): string => `${providers.publicUrl}/developers`;

/** What a key has ordered in this month, with tax, in minor units. */
export const spentByKey = ({ em, clock }: KeysContext, { id }: Pick<ApiKey, 'id'>): Promise<number> =>
  orderedByKey(em, id, monthStart(clock.now()));

/** Support lets a key order for so much each month; 0: nothing more. Errors: key_not_found, key_not_active, own_account_refused, parameter_invalid. */
export const grantOrders = (ctx: KeysContext, { id, ceilingMinor }: { id: string; ceilingMinor: number }): Promise<ApiKey> =>
  inTransaction(ctx, async (tx) => {
    const key = await keyWithId(tx.em, id);
    if (!key) throw fail('key_not_found');
    refuseOwnAccount(ctx, key.accountId);
    await setCeiling(tx, key, ceilingMinor, MAX_GRANT_MINOR);
    key.orderGrantedMinor = ceilingMinor;
    return key;
  });

/** Its owner sets the ceiling anywhere below what support has granted; 0 switches orders off. Errors: key_not_found, key_not_active, parameter_invalid. */
export const setOrderCeiling = (ctx: KeysContext, { id, ceilingMinor }: { id: string; ceilingMinor: number }): Promise<ApiKey> =>
  inTransaction(ctx, async (tx) => {
    const key = await keyOfAccount(tx.em, id, accountOf(ctx));
    if (!key) throw fail('key_not_found');
    await setCeiling(tx, key, ceilingMinor, key.orderGrantedMinor);
    return key;
  });

/** In the transaction of `ctx.em`; the owner is told by mail. */
async function setCeiling(ctx: KeysContext, key: ApiKey, ceilingMinor: number, mostMinor: number): Promise<void> {
  if (statusOfKey(key, ctx.clock.now()) !== 'ACTIVE') throw fail('key_not_active');
  if (ceilingMinor < 0 || ceilingMinor > mostMinor)
    throw fail('parameter_invalid', { field: 'ceilingMinor', reason: because('key_order_ceiling', { max: formatMoney(usd(mostMinor)) }) });
  key.orderCeilingMinor = ceilingMinor;
  const { accountId } = key;
  const masked = maskApiKey(key);
  const url = keysPage(ctx);
  await record(ctx, { type: 'api_key.order_ceiling_set', accountId, subject: key.id, data: { masked, ceilingMinor } });
  await postToOwner(ctx, accountId, 'key_order_ceiling', { masked, ceiling: formatMoney(usd(ceilingMinor)), off: ceilingMinor === 0, url });
}

/**
 * Orders what a signed offer describes. Credit pays first, the rest is charged to the default means. Errors: those of `placeOrder`, forbidden (no key),
 * key_ceiling_reached, action_not_allowed (no saved means).
 */
export function orderByKey(ctx: KeysContext, input: Pick<PlaceOrderInput, 'offer' | 'idempotencyKey'>): Promise<Order> {
  const { viewer } = ctx;
  if (viewer.kind !== 'key') throw fail('forbidden');
  const apiKeyId = viewer.keyId;
  return placeOrderByKey(ctx, input, {
    apiKeyId,
    async admit(tx, order) {
      const keys = { ...ctx, em: tx.em };
      const key = await keyWithId(tx.em, apiKeyId);
      if (!key) throw fail('key_not_found');
      const left = await leftOf(keys, key, order);
      const { accountId, id: orderId, title } = order;
      const [masked, total] = [maskApiKey(key), formatMoney(usd(order.totalMinor + order.creditMinor))];
      await record(keys, { type: 'api_key.ordered', accountId, subject: apiKeyId, data: { masked, orderId, title } });
      await postToOwner(keys, accountId, 'key_ordered', { masked, title, total, left: formatMoney(usd(left)), url: keysPage(ctx) });
    },
  });
}

/** What is left of the month's ceiling after an order that is written. Errors: key_ceiling_reached. */
async function leftOf(ctx: KeysContext, key: ApiKey, { totalMinor, creditMinor, currency }: Order): Promise<number> {
  if (currency !== CURRENCY) throw new Error(`a key orders in ${CURRENCY}, not in ${currency}`);
  const ceiling = key.orderCeilingMinor;
  if (ceiling === 0) throw fail('key_ceiling_reached', { reason: because('key_orders_off') });
  const left = ceiling - (await spentByKey(ctx, key));
  if (left >= 0) return left;
  const money = (minor: number) => formatMoney(usd(minor));
  const price = totalMinor + creditMinor;
  throw fail('key_ceiling_reached', {
    reason: because('key_orders_left', { left: money(Math.max(0, left + price)), ceiling: money(ceiling), price: money(price) }),
  });
}
