// Keeps how an order was taxed, and the evidence of where its buyer is.
import { DAY, after } from '#platform/clock.ts';
import { accountOf, refuseOwnAccount } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { checkReason } from '#commerce/support-reason.ts';
import { sellsWithTax } from '#commerce/tax.ts';
import { existingAccount } from '../../../identity/entities/account.ts';
import { record } from '../../../identity/services/activity.ts';
import type { TaxContext } from '../context.ts';
import { type Order, lockOrder, ordersWithIds } from '../../orders/entities/order.ts';
import { evidenceKeptFrom, isContradicted } from '../domain/evidence.ts';
import {
  type TaxEvidence,
  contradictedOrders,
  evidenceOfOrder,
  forgetEvidence,
  insertOrderTax,
  noteEvidence,
  taxOfOrder,
} from '../entities/order-tax.ts';
import type { TaxPosition } from './tax-position.ts';
import { CONTRADICTED_ORDERS_DAYS } from '../../../../../schema/limits.ts';

type Placed = Pick<Order, 'id' | 'accountId'>;

/** Keeps how an order is taxed, in the transaction that places it. This does not change when the account's billing details change later. */
export async function noteOrderTax(ctx: TaxContext, { id: orderId, accountId }: Placed, position: TaxPosition): Promise<void> {
  const { em, clock, providers, viewer } = ctx;
  const { details, vatId, reverseCharge } = position;
  if (!details || !sellsWithTax(providers.taxRates)) return;
  const { name, address, country, taxId = null } = details;
  const email = (await existingAccount(em, accountId)).email ?? null;
  const notedAt = clock.now();
  const vatIdCheckId = reverseCharge ? (vatId?.checkId ?? null) : null;
  await insertOrderTax(em, { orderId, buyer: { name, address, country, taxId, email }, country, reverseCharge, vatIdCheckId, notedAt });
  const pieces: TaxEvidence[] = [{ orderId, kind: 'BILLING', country, detail: null, notedAt }];
  if (viewer.kind === 'session') pieces.push({ orderId, kind: 'CLIENT', country: null, detail: viewer.address, notedAt });
  await noteEvidence(em, pieces);
}

/** Notes the country that issued the means that paid an order, when the processor tells it; not for orders that were sold without tax. */
export async function noteMeans({ em, clock }: TaxContext, orderId: string, country: string | undefined): Promise<void> {
  if (country === undefined || !(await taxOfOrder(em, orderId))) return;
  await noteEvidence(em, [{ orderId, kind: 'MEANS', country, detail: null, notedAt: clock.now() }]);
}

/**
 * Keeps how a renewal is taxed. No client places it, and it is charged to the means that paid the purchase, so the purchase's evidence of the means holds for
 * it too.
 */
export async function noteRenewalTax(ctx: TaxContext, order: Placed, position: TaxPosition, purchaseId: string): Promise<void> {
  await noteOrderTax(ctx, order, position);
  if (!(await taxOfOrder(ctx.em, order.id))) return;
  const known = await evidenceOfOrder(ctx.em, purchaseId);
  const notedAt = ctx.clock.now();
  const held = known.filter(({ kind }) => kind === 'MEANS');
  await noteEvidence(
    ctx.em,
    held.map(({ kind, country, detail }) => ({ orderId: order.id, kind, country, detail, notedAt })),
  );
}

/** The most orders that the desk lists. */
const MAX_LISTED = 200;

/** Orders whose evidence names different countries, newest first. They are not refused; a person checks them. */
export const contradicted = async ({ em, clock }: Pick<TaxContext, 'em' | 'clock'>): Promise<Order[]> =>
  ordersWithIds(em, await contradictedOrders(em, after(clock.now(), -CONTRADICTED_ORDERS_DAYS * DAY), MAX_LISTED));

/**
 * Notes that a person has checked where the buyer is, and why the tax is right; the desk no longer lists the order. Errors: order_not_found,
 * own_account_refused, parameter_invalid, action_not_allowed (nothing contradicts itself).
 */
export function checkEvidence(ctx: TaxContext, { id, reason }: { id: string; reason: string }): Promise<Order> {
  const why = checkReason(reason);
  return inTransaction(ctx, async (tx) => {
    const order = await lockOrder(tx.em, id);
    if (!order) throw fail('order_not_found');
    refuseOwnAccount(tx, order.accountId);
    const taxed = await taxOfOrder(tx.em, id);
    if (!taxed || !isContradicted(await evidenceOfOrder(tx.em, id)))
      throw fail('action_not_allowed', { reason: because('evidence_agrees') });
    Object.assign(taxed, { checkedAt: tx.clock.now(), checkedBy: accountOf(tx), checkReason: why });
    await record(tx, { type: 'order.evidence_checked', accountId: order.accountId, subject: id, data: { reason: why } });
    return order;
  });
}

/** Deletes evidence that may not be kept any longer. */
export const forgetOldEvidence = ({ em, clock }: TaxContext): Promise<void> => forgetEvidence(em, evidenceKeptFrom(clock.now()));
