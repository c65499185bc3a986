// The price of more or fewer addresses on a plan, for the rest of its period. The offer has exactly the amount that is charged or credited.
import { toDay } from '#platform/clock.ts';
import { ownerOf } from '#platform/context.ts';
import { because, fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { type OfferTerms, priceOffer } from '#commerce/offers.ts';
import { prorate } from '#commerce/proration.ts';
import { taxBasisPointsOf } from '#commerce/tax.ts';
import { CURRENCY } from '#commerce/money.ts';
import type { Fulfilment } from '../domain/fulfilment.ts';
import { requirePlanAction } from '../domain/plan-actions.ts';
import { STATIC_QUANTITY, checkQuantity, isStaticProductId, staticProduct } from '../../products/domain/static-product.ts';
import { plansBeingChanged } from '../entities/addition.ts';
import { addressIdsOf } from '../entities/plan-address.ts';
import { plansByIds } from '../entities/static-plan.ts';
import type { PlansContext } from '../context.ts';
import { mustBeFree } from '../../inventory/services/hold-stock.ts';
import { PLAN_MONTHS, planLines, planTitle, unitOf } from './price-plan.ts';

async function planToChange(ctx: PlansContext, id: string) {
  const [plan] = await plansByIds(ctx.em, [id]);
  if (plan?.accountId !== ownerOf(ctx, id)) throw fail('plan_not_found');
  const beingChanged = (await plansBeingChanged(ctx.em, [id])).has(id);
  requirePlanAction('change_quantity', { ...plan, beingChanged }, ctx.clock.now());
  if (!plan.periodStart || !plan.periodEnd || !isStaticProductId(plan.productId)) throw fail('action_not_allowed');
  const product = staticProduct(ctx.providers.products, plan.productId);
  return { ...plan, productId: plan.productId, periodStart: plan.periodStart, periodEnd: plan.periodEnd, product };
}
type PlanToChange = Awaited<ReturnType<typeof planToChange>>;

/** Offers more addresses of the plan's product. Errors: plan_not_found, action_not_allowed, quantity_invalid, out_of_stock. */
export async function priceAddition(ctx: PlansContext, { id, quantity }: { id: string; quantity: number }): Promise<OfferTerms> {
  const plan = await planToChange(ctx, id);
  checkQuantity(quantity);
  checkQuantity(plan.quantity + quantity, Math.max(STATIC_QUANTITY.max, plan.quantity));
  await mustBeFree(ctx, plan.productId, quantity);
  const fulfil = { kind: 'add', planId: id, quantity } satisfies Fulfilment;
  const now = partOf(ctx, plan, quantity);
  return changeOffer(ctx, plan, {
    holdsStock: true,
    quantity: plan.quantity + quantity,
    title: `${plan.product.name}: ${quantity} more`,
    lines: [{ label: `${plan.product.name}, ${quantity} more until ${toDay(plan.periodEnd)}`, quantity, amountMinor: now }],
    creditMinor: 0,
    fulfil,
  });
}

/**
 * Offers to remove these addresses. What was paid for the rest of their period becomes account credit. Errors: plan_not_found, action_not_allowed,
 * quantity_invalid, parameter_invalid.
 */
export async function priceRemoval(
  ctx: PlansContext,
  { id, addresses }: { id: string; addresses: readonly string[] },
): Promise<OfferTerms> {
  const plan = await planToChange(ctx, id);
  const addressIds = await addressIdsOf(ctx.em, id, addresses);
  const quantity = addressIds.length;
  if (quantity === 0 || quantity < new Set(addresses).size)
    throw fail('parameter_invalid', { field: 'addresses', reason: because('addresses_of_others') });
  if (quantity >= plan.quantity) throw fail('quantity_invalid', { field: 'addresses', reason: because('last_address_stays') });
  return changeOffer(ctx, plan, {
    quantity: plan.quantity - quantity,
    title: `${plan.product.name}: ${quantity} fewer`,
    lines: [{ label: `${plan.product.name}, ${quantity} given back`, quantity, amountMinor: 0 }],
    creditMinor: partOf(ctx, plan, quantity),
    fulfil: { kind: 'remove', planId: id, addressIds } satisfies Fulfilment,
  });
}

/** The price of so many addresses of the plan, for the rest of its period. */
const partOf = (ctx: PlansContext, plan: PlanToChange, quantity: number): number =>
  prorate({
    fullMinor: unitOf(ctx, plan) * quantity,
    periodStart: plan.periodStart,
    periodEnd: plan.periodEnd,
    months: PLAN_MONTHS,
    at: ctx.clock.now(),
  });

interface Change {
  holdsStock?: true;
  /** The number of the plan's addresses after the change. */
  quantity: number;
  title: string;
  lines: OfferTerms['lines'];
  creditMinor: number;
  fulfil: Fulfilment;
}

async function changeOffer(
  ctx: PlansContext,
  plan: PlanToChange,
  { quantity, title, lines, creditMinor, fulfil, holdsStock }: Change,
): Promise<OfferTerms> {
  const { accountId, subscriptionId: id, billingVersion: basedOn, product } = plan;
  const recurring = planLines(product, quantity, unitOf(ctx, plan));
  return priceOffer(
    {
      id: newId('off', ctx.clock),
      accountId,
      seller: 'static',
      title,
      lines,
      currency: CURRENCY,
      creditMinor,
      fulfil,
      ...(holdsStock && { holdsStock }),
      subscription: { id, months: PLAN_MONTHS, lines: recurring, basedOn, title: planTitle(product, quantity) },
    },
    await taxBasisPointsOf(ctx, accountId),
    ctx.clock,
  );
}
