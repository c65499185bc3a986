// The support desk's operations on the prices of one account, declared once for all sellers; each seller names its operations. For staff only.
import type { createBuilder } from '#platform/schema-builder.ts';
import type { Seller } from '../../../../schema/subgraphs.ts';
import { type CatalogueTypes, inWords } from '../catalogue/catalogue-types.ts';
import { approveAccountPrice, declineAccountPrice, waitingAccountPrices } from './approve-account-price.ts';
import {
  type AccountPriceContext,
  type AccountPriceLine,
  type AccountPriceLowering,
  accountPriceLines,
  endAccountPrice,
  previewAccountPrice,
  previewLowering,
  setAccountPrice,
} from './set-account-price.ts';

/** The name of each operation in the graph. */
interface Operations {
  list: string;
  waiting: string;
  preview: string;
  lowering: string;
  set: string;
  agree: string;
  refuse: string;
  end: string;
}

/** Declares the operations and their type. `types`: what the seller's catalogue desk has declared. Call it once per builder. */
export function declareAccountPriceDesk<Ctx extends AccountPriceContext>(
  builder: ReturnType<typeof createBuilder<Ctx>>,
  seller: Seller,
  { CatalogueMoment, CatalogueEntryState }: CatalogueTypes<NoInfer<Ctx>>,
  names: Operations,
): void {
  const AccountPrice = accountPriceType(builder, CatalogueEntryState);
  const AccountPriceLowering = loweringType(builder);
  const price = builder.args((t) => ({
    item: t.string({ required: true }),
    value: t.string({ required: true }),
    from: t.field({ type: 'DateTime' }),
    until: t.field({ type: 'DateTime' }),
  }));
  const wish = { ...builder.args((t) => ({ accountId: t.id({ required: true }) })), ...price };
  builder.queryFields((t) => ({
    [names.list]: t.field({
      type: [AccountPrice],
      authScopes: { staff: 'customers' },
      args: { accountId: t.arg.id({ required: true }) },
      resolve: (_root, { accountId }, ctx) => accountPriceLines(ctx, accountId),
    }),
    [names.waiting]: t.field({
      type: [AccountPrice],
      authScopes: { staff: 'account_prices' },
      resolve: (_root, _args, ctx) => waitingAccountPrices(ctx),
    }),
    [names.preview]: t.field({
      type: [CatalogueMoment],
      authScopes: { staff: 'account_prices' },
      args: wish,
      async resolve(_root, asked, ctx) {
        const { field, moments } = await previewAccountPrice(ctx, asked);
        return inWords(field, moments);
      },
    }),
    [names.lowering]: t.field({
      type: AccountPriceLowering,
      authScopes: { staff: 'account_prices' },
      args: price,
      resolve: (_root, asked, ctx) => previewLowering(ctx, asked),
    }),
  }));
  builder.mutationFields((t) => ({
    [names.set]: t.field({
      type: AccountPrice,
      authScopes: { staff: 'account_prices' },
      args: {
        ...wish,
        reason: t.arg.string({ required: true }),
        running: t.arg.boolean({ required: true, defaultValue: false }),
        tell: t.arg.boolean({ required: true, defaultValue: true }),
      },
      resolve: (_root, asked, ctx) => setAccountPrice(ctx, seller, asked),
    }),
    [names.agree]: t.field({
      type: AccountPrice,
      authScopes: { staff: 'account_prices' },
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, { id }, ctx) => approveAccountPrice(ctx, seller, id),
    }),
    [names.refuse]: t.field({
      type: AccountPrice,
      authScopes: { staff: 'account_prices' },
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, { id }, ctx) => declineAccountPrice(ctx, id),
    }),
    [names.end]: t.field({
      type: AccountPrice,
      authScopes: { staff: 'account_prices' },
      args: { id: t.arg.id({ required: true }), tell: t.arg.boolean({ required: true, defaultValue: true }) },
      resolve: (_root, { id, tell }, ctx) => endAccountPrice(ctx, seller, id, tell),
    }),
  }));
}

const loweringType = <Ctx extends AccountPriceContext>(builder: ReturnType<typeof createBuilder<Ctx>>) =>
  builder.objectRef<AccountPriceLowering>('AccountPriceLowering').implement({
    shareable: true,
    fields: (t) => ({
      lowersBasisPoints: t.exposeInt('lowersBasisPoints'),
      aloneBasisPoints: t.exposeInt('aloneBasisPoints'),
      needsSecondPerson: t.exposeBoolean('needsSecondPerson'),
    }),
  });

const accountPriceType = <Ctx extends AccountPriceContext>(
  builder: ReturnType<typeof createBuilder<Ctx>>,
  CatalogueEntryState: CatalogueTypes<NoInfer<Ctx>>['CatalogueEntryState'],
) =>
  builder.objectRef<AccountPriceLine>('AccountPrice').implement({
    shareable: true,
    fields: (t) => ({
      id: t.exposeID('id'),
      accountId: t.exposeID('accountId'),
      item: t.exposeString('item'),
      value: t.exposeString('text'),
      costs: t.exposeString('costs'),
      from: t.expose('from', { type: 'DateTime' }),
      until: t.expose('until', { type: 'DateTime', nullable: true }),
      setAt: t.expose('setAt', { type: 'DateTime' }),
      setBy: t.exposeString('setBy'),
      reason: t.exposeString('reason'),
      endedAt: t.expose('endedAt', { type: 'DateTime', nullable: true }),
      state: t.expose('state', { type: CatalogueEntryState }),
      awaitsApprovalUntil: t.expose('awaitsApprovalUntil', { type: 'DateTime', nullable: true }),
      lowersBasisPoints: t.exposeInt('lowersBasisPoints', { nullable: true }),
      approvedBy: t.exposeString('approvedBy', { nullable: true }),
    }),
  });
