// "Tell me when there is stock": one mail when there is enough, and then no more.
import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { appendEvents } from '#platform/events.ts';
import { STATIC_QUANTITY, type StaticProduct, checkQuantity, productNamed, staticProduct } from '../../products/domain/static-product.ts';
import { freeStock } from '../entities/stock-hold.ts';
import { dropWish, putWish, takeWishes, wishedProducts } from '../entities/stock-wish.ts';
import type { ProductsContext } from '../../products/context.ts';

/** Stores the caller's wish to be notified. Errors: parameter_invalid, quantity_invalid. */
export async function watchStock(
  ctx: ProductsContext,
  { productId, quantity }: { productId: string; quantity: number },
): Promise<StaticProduct> {
  const product = productNamed(ctx.providers.products, productId);
  checkQuantity(quantity);
  await putWish(ctx.em, { accountId: accountOf(ctx), productId, quantity }, ctx.clock.now());
  return product;
}

/** Removes the caller's wish. Errors: parameter_invalid. */
export async function unwatchStock(ctx: ProductsContext, productId: string): Promise<StaticProduct> {
  const product = productNamed(ctx.providers.products, productId);
  await dropWish(ctx.em, accountOf(ctx), productId);
  return product;
}

/** Appends `static_stock.available` for every wish that the free stock can fulfil now; accounts sends the mail. */
export async function notifyOfStock(ctx: ProductsContext): Promise<void> {
  const wanted = await wishedProducts(ctx.em);
  if (wanted.length === 0) return;
  await inTransaction(ctx, async ({ em, clock, providers }) => {
    const at = clock.now();
    for (const [productId, free] of await freeStock(em, wanted, at, STATIC_QUANTITY.max)) {
      const title = staticProduct(providers.products, productId).name;
      const events = (await takeWishes(em, productId, free)).map(({ accountId, quantity }) => ({
        type: 'static_stock.available' as const,
        at,
        accountId,
        subject: productId,
        data: { title, quantity },
      }));
      await appendEvents(em, ...events);
    }
  });
}
