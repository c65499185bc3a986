import { accountOf } from '#platform/context.ts';
import { fromGb } from '#platform/data-size.ts';
import { because, fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { type OfferTerms, priceOffer } from '#commerce/offers.ts';
import { mustBeSold } from '#commerce/catalogue/shelf.ts';
import { taxBasisPointsOf } from '#commerce/tax.ts';
import { itemOf } from '../domain/catalogue.ts';
import { PACKAGE_GB, perGb } from '../domain/products.ts';
import type { ProductCode } from '../../../../edge/protocol/product.ts';
import type { Context } from '../context.ts';

/** The price of a package for the caller's account. Errors: quantity_invalid, not_sold. */
export async function pricePackage(ctx: Context, code: ProductCode, gigabytes: number): Promise<OfferTerms> {
  if (gigabytes < PACKAGE_GB.min || gigabytes > PACKAGE_GB.max) {
    throw fail('quantity_invalid', { field: 'gigabytes', reason: because('package_size') });
  }
  const accountId = accountOf(ctx);
  const product = ctx.providers.products[code];
  mustBeSold(product);
  const { amountMinor, currency } = perGb(product, gigabytes);
  const title = `${product.name}, ${gigabytes} GB`;
  return priceOffer(
    {
      id: newId('off', ctx.clock),
      accountId,
      seller: 'residential',
      title,
      item: itemOf(code),
      lines: [{ label: `${product.name} residential proxies, per GB`, quantity: gigabytes, amountMinor: amountMinor * gigabytes }],
      currency,
      fulfil: { product: code, bytes: fromGb(gigabytes).toString() },
    },
    await taxBasisPointsOf(ctx, accountId),
    ctx.clock,
  );
}
