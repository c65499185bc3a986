// The price of a new plan. Addresses are held when the order is placed, not when an offer is made.
import { accountOf, refuseOwnAccount } from '#platform/context.ts';
import { because, fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { atPricesOf } from '#commerce/account-prices/own-price.ts';
import { OFFER_VALID_MS, type OfferTerms, customValidMs, priceOffer } from '#commerce/offers.ts';
import { mustBeSold } from '#commerce/catalogue/shelf.ts';
import { taxBasisPointsOf } from '#commerce/tax.ts';
import { CURRENCY } from '#commerce/money.ts';
import type { Fulfilment } from '../domain/fulfilment.ts';
import { type StaticProduct, checkQuantity, productNamed, staticProduct } from '../../products/domain/static-product.ts';
import { itemOf } from '../../products/domain/catalogue.ts';
import type { PlansContext } from '../context.ts';
import { mustBeFree } from '../../inventory/services/hold-stock.ts';

/** Spec is silent: static plans are paid by the month. */
export const PLAN_MONTHS = 1;

export const planTitle = ({ name }: StaticProduct, quantity: number): string =>
  `${name}, ${quantity} ${quantity === 1 ? 'address' : 'addresses'}`;

/** Cents per address and month that a plan runs by; a plan of the first release has none of its own, and runs by those of its beginning. */
export const unitOf = (
  { providers }: PlansContext,
  { unitMinor, productId, createdAt }: { unitMinor?: number | null | undefined; productId: string; createdAt: Date },
): number => unitMinor ?? staticProduct(providers.productsAt(createdAt), productId).perAddressMinor;

/** The monthly price of a plan with so many addresses, before tax. */
export const planLines = ({ name }: StaticProduct, quantity: number, unitMinor: number) => [
  { label: `${name}, dedicated addresses, per month`, quantity, amountMinor: unitMinor * quantity },
];

/** An offer of a plan for the caller's account, at its own price if it has one. Errors: parameter_invalid, not_sold, quantity_invalid, out_of_stock. */
export async function pricePlan(ctx: PlansContext, input: { productId: string; quantity: number }): Promise<OfferTerms> {
  const accountId = accountOf(ctx);
  const products = await atPricesOf(ctx.em, ctx.providers.productsAt, accountId, ctx.clock.now());
  const product = productNamed(products, input.productId);
  mustBeSold(product);
  checkQuantity(input.quantity);
  await mustBeFree(ctx, product.id, input.quantity);
  return offerOf(ctx, { accountId, product, quantity: input.quantity, unitMinor: product.perAddressMinor, more: { holdsStock: true } });
}

/** Spec is silent: the most addresses of one custom offer. */
const MAX_CUSTOM = 50_000;

export interface CustomPlanPrice {
  accountId: string;
  productId: string;
  quantity: number;
  /** Cents per address and month, before tax. */
  perAddressMinor: number;
  validDays: number;
}

/**
 * A custom offer of sales for an account, also for more than the stock has: nothing is held for it, and its order waits for stock. Errors: own_account_refused,
 * parameter_invalid, quantity_invalid.
 */
export async function priceCustomPlan(ctx: PlansContext, input: CustomPlanPrice): Promise<OfferTerms> {
  refuseOwnAccount(ctx, input.accountId);
  const product = productNamed(ctx.providers.products, input.productId);
  checkQuantity(input.quantity, MAX_CUSTOM);
  if (input.perAddressMinor < 1) throw fail('parameter_invalid', { field: 'perAddressMinor', reason: because('price_below_cent') });
  return offerOf(
    ctx,
    {
      accountId: input.accountId,
      product,
      quantity: input.quantity,
      unitMinor: input.perAddressMinor,
      more: { custom: true },
    },
    customValidMs(input.validDays),
  );
}

interface PlanOffer {
  accountId: string;
  product: StaticProduct;
  quantity: number;
  unitMinor: number;
  more: Pick<OfferTerms, 'custom' | 'holdsStock'>;
}

async function offerOf(
  ctx: PlansContext,
  { accountId, product, quantity, unitMinor, more }: PlanOffer,
  validMs = OFFER_VALID_MS,
): Promise<OfferTerms> {
  const title = planTitle(product, quantity);
  const lines = planLines(product, quantity, unitMinor);
  return priceOffer(
    {
      id: newId('off', ctx.clock),
      accountId,
      seller: 'static',
      title,
      item: itemOf(product.id),
      lines,
      currency: CURRENCY,
      subscription: { id: newId('sub', ctx.clock), months: PLAN_MONTHS, lines, title },
      fulfil: { kind: 'plan', productId: product.id, quantity, unitMinor, ...(more.custom && { custom: true }) } satisfies Fulfilment,
      ...more,
    },
    await taxBasisPointsOf(ctx, accountId),
    ctx.clock,
    validMs,
  );
}
