// The support desk's operations on repricings, declared once for all sellers of subscriptions; each seller names its three operations. For staff only.
import type { createBuilder } from '#platform/schema-builder.ts';
import type { Seller } from '../../../../schema/subgraphs.ts';
import { type RepricingContext, announceRepricing, repricings, withdrawRepricing } from './reprice.ts';
import type { RepricedGoods } from './repriced-goods.ts';
import type { Repricing as RepricingRow } from './repricing-rows.ts';

/** The name of each operation in the graph. */
interface Operations {
  list: string;
  announce: string;
  withdraw: string;
}

/** Declares the operations and their type. Call it once per builder. */
export function declareRepricingDesk<Ctx extends RepricingContext>(
  builder: ReturnType<typeof createBuilder<Ctx>>,
  seller: Seller,
  goods: RepricedGoods<NoInfer<Ctx>>,
  names: Operations,
): void {
  const Repricing = builder.objectRef<RepricingRow>('Repricing').implement({
    shareable: true,
    fields: (t) => ({
      id: t.exposeID('id'),
      item: t.exposeString('item'),
      accountId: t.exposeID('accountId', { nullable: true }),
      announcedAt: t.expose('pricedAt', { type: 'DateTime' }),
      appliesFrom: t.expose('appliesFrom', { type: 'DateTime' }),
      reason: t.exposeString('reason'),
      announcedBy: t.exposeString('announcedBy'),
      withdrawnAt: t.expose('withdrawnAt', { type: 'DateTime', nullable: true }),
      waiting: t.exposeInt('waiting'),
    }),
  });
  builder.queryFields((t) => ({
    [names.list]: t.field({
      type: [Repricing],
      authScopes: { staff: 'catalogue' },
      resolve: (_root, _args, ctx) => repricings(ctx),
    }),
  }));
  builder.mutationFields((t) => ({
    [names.announce]: t.field({
      type: Repricing,
      authScopes: { staff: 'catalogue' },
      args: {
        item: t.arg.string({ required: true }),
        from: t.arg({ type: 'DateTime', required: true }),
        reason: t.arg.string({ required: true }),
      },
      resolve: (_root, wish, ctx) => announceRepricing(ctx, seller, goods, wish),
    }),
    [names.withdraw]: t.field({
      type: Repricing,
      authScopes: { staff: 'catalogue' },
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, { id }, ctx) => withdrawRepricing(ctx, seller, id),
    }),
  }));
}
