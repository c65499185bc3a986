// Prices of packages, and of more bytes for an existing one.
import { accountOf } from '#platform/context.ts';
import { fromGb } from '#platform/data-size.ts';
import { because, fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { atPricesOf } from '#commerce/account-prices/own-price.ts';
import { type OfferTerms, priceOffer } from '#commerce/offers.ts';
import { mustBeSold } from '#commerce/catalogue/shelf.ts';
import { taxBasisPointsOf } from '#commerce/tax.ts';
import { itemOf } from '../domain/catalogue.ts';
import { requireAction } from '../domain/plan-actions.ts';
import { PACKAGE_GB, type Product, perGb } from '../domain/products.ts';
import type { ProductCode } from '../../../../edge/protocol/product.ts';
import type { Context } from '../context.ts';
import { readPlan } from './read-plans.ts';

/** The price of a package for the caller's account, at its own price if it has one. Errors: quantity_invalid, not_sold. */
export const pricePackage = (ctx: Context, code: ProductCode, gigabytes: number): Promise<OfferTerms> =>
  priceVolume(ctx, { accountId: accountOf(ctx), code, gigabytes });

/** The price of more bytes for a plan of the caller's. Errors: plan_not_found, action_not_allowed, quantity_invalid, not_sold. */
export async function priceTopUp(ctx: Context, planId: string, gigabytes: number): Promise<OfferTerms> {
  const plan = await readPlan(ctx, planId);
  const { accountId, product: code } = plan;
  requireAction('top_up', plan, ctx.providers.products[code]);
  return priceVolume(ctx, { accountId, code, gigabytes, planId });
}

interface Volume {
  accountId: string;
  code: ProductCode;
  gigabytes: number;
  /** The plan to top up; absent: a new one. */
  planId?: string;
  /** How long the offer is valid, in milliseconds; absent: as long as any offer. */
  validMs?: number;
}

/** For how long what is sold now is valid, as an offer has it and as its line says it. What was offered holds, whatever the catalogue says at the delivery. */
export const validityOf = ({ validDays }: Pick<Product, 'validDays'>): { validity: { validDays?: number }; inWords: string } =>
  validDays === null
    ? { validity: {}, inWords: '' }
    : { validity: { validDays }, inWords: `, valid for ${validDays} ${validDays === 1 ? 'day' : 'days'}` };

/** Errors: quantity_invalid, not_sold. */
export async function priceVolume(ctx: Context, { accountId, code, gigabytes, planId, validMs }: Volume): Promise<OfferTerms> {
  if (gigabytes < PACKAGE_GB.min || gigabytes > PACKAGE_GB.max) {
    throw fail('quantity_invalid', { field: 'gigabytes', reason: because('package_size', PACKAGE_GB) });
  }
  const products = await atPricesOf(ctx.em, ctx.providers.productsAt, accountId, ctx.clock.now());
  const product = products[code];
  mustBeSold(product);
  const { amountMinor, currency } = perGb(product, gigabytes);
  const { validity, inWords } = validityOf(product);
  return priceOffer(
    {
      id: newId('off', ctx.clock),
      accountId,
      seller: 'residential',
      title: `${product.name}, ${planId === undefined ? '' : '+'}${gigabytes} GB`,
      item: itemOf(code),
      lines: [
        { label: `${product.name} residential proxies, per GB${inWords}`, quantity: gigabytes, amountMinor: amountMinor * gigabytes },
      ],
      currency,
      ...validity,
      fulfil: { product: code, bytes: fromGb(gigabytes).toString(), ...validity, ...(planId !== undefined && { planId }) },
    },
    await taxBasisPointsOf(ctx, accountId),
    ctx.clock,
    validMs,
  );
}
