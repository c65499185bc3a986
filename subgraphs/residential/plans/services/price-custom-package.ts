import { refuseOwnAccount } from '#platform/context.ts';
import { fromGb } from '#platform/data-size.ts';
import { because, fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { type OfferTerms, customValidMs, priceOffer } from '#commerce/offers.ts';
import { taxBasisPointsOf } from '#commerce/tax.ts';
import { CURRENCY } from '#commerce/money.ts';
import type { ProductCode } from '../../../../edge/protocol/product.ts';
import type { Context } from '../context.ts';
import { validityOf } from './price-package.ts';

/** Spec is silent: a larger number is taken for a typing error. */
const MAX_GB = 1_000_000;

export interface CustomPackage {
  accountId: string;
  product: ProductCode;
  gigabytes: number;
  /** The price of the whole package, before tax. */
  amountMinor: number;
  /** For how many days the offer is valid; the package is valid as any of its product. */
  validDays: number;
}

/** A package of any size at a price that sales has agreed on. Errors: own_account_refused, quantity_invalid, parameter_invalid. */
export async function priceCustomPackage(
  ctx: Context,
  { accountId, product: code, gigabytes, ...price }: CustomPackage,
): Promise<OfferTerms> {
  refuseOwnAccount(ctx, accountId);
  if (gigabytes < 1 || gigabytes > MAX_GB)
    throw fail('quantity_invalid', { field: 'gigabytes', reason: because('custom_package_size', { max: MAX_GB }) });
  if (price.amountMinor < 1) throw fail('parameter_invalid', { field: 'amountMinor', reason: because('price_not_positive') });
  const product = ctx.providers.products[code];
  const { name } = product;
  const { validity, inWords } = validityOf(product);
  return priceOffer(
    {
      id: newId('off', ctx.clock),
      accountId,
      seller: 'residential',
      title: `${name}, ${gigabytes} GB`,
      lines: [{ label: `${name} residential proxies, as agreed${inWords}`, quantity: gigabytes, amountMinor: price.amountMinor }],
      currency: CURRENCY,
      ...validity,
      fulfil: { product: code, bytes: fromGb(gigabytes).toString(), ...validity },
      custom: true,
    },
    await taxBasisPointsOf(ctx, accountId),
    ctx.clock,
    customValidMs(price.validDays),
  );
}
