// Static plans as repricings see them.
import { ownView } from '#commerce/account-prices/own-price.ts';
import type { Good, RepricedGoods } from '#commerce/repricing/repriced-goods.ts';
import { STATIC_PRODUCT_IDS, type StaticProductId, staticProduct } from '../../products/domain/static-product.ts';
import { itemOf } from '../../products/domain/catalogue.ts';
import { hasEnded } from '../domain/static-plan-lifecycle.ts';
import { countOfCataloguePrice, idsOfCataloguePrice, lockPlan } from '../entities/static-plan.ts';
import type { PlansContext } from '../context.ts';
import { planLines, unitOf } from './price-plan.ts';

const PRODUCT_OF = new Map<string, StaticProductId>(STATIC_PRODUCT_IDS.map((id) => [itemOf(id), id]));

/** A plan that sales has priced is none of them. */
export const REPRICED_PLANS: RepricedGoods<PlansContext> = {
  items: [...PRODUCT_OF.keys()],
  idsOf: (em, { item, accountId, pricedAt }, after, limit) =>
    idsOfCataloguePrice(em, { productId: PRODUCT_OF.get(item) ?? '', accountId, before: pricedAt, after, limit }),
  count: (em, { item, accountId, pricedAt }) =>
    countOfCataloguePrice(em, { productId: PRODUCT_OF.get(item) ?? '', accountId, before: pricedAt }),
  async lock(ctx, id): Promise<Good | undefined> {
    const plan = await lockPlan(ctx.em, { id });
    if (!plan || hasEnded(plan.status)) return undefined;
    const { accountId, subscriptionId, productId, quantity } = plan;
    const product = staticProduct(ctx.providers.products, productId);
    const productsAt = await ownView(ctx.em, ctx.providers.productsAt, accountId);
    const linesFor = (unitMinor: number) => planLines(product, quantity, unitMinor);
    return {
      id,
      accountId,
      subscriptionId,
      lines: linesFor(unitOf(ctx, plan)),
      linesAt: (moment) => linesFor(staticProduct(productsAt(moment), productId).perAddressMinor),
    };
  },
};
