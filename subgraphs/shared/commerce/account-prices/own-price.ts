// What an account pays: a seller's products at its own prices, and that they are its own.
import { type Context, accountOf } from '#platform/context.ts';
import type { EntityManager } from '#platform/database.ts';
import type { createBuilder } from '#platform/schema-builder.ts';
import type { CatalogueView } from '../catalogue/catalogue-book.ts';
import { accountPriceAt, overrideOf } from './account-price.ts';
import { pricesOfAccount } from './account-price-rows.ts';

/** What a seller sells at a moment, at the prices of an account. `at`: what it makes of its catalogue. */
export async function atPricesOf<Result>(
  em: EntityManager,
  at: CatalogueView<Result>['at'],
  accountId: string,
  moment: Date,
): Promise<Result> {
  return at(moment, overrideOf(await pricesOfAccount(em, accountId), moment));
}

const buys = ({ viewer }: Pick<Context, 'viewer'>): boolean => viewer.kind === 'session' || viewer.kind === 'key';

/** The same for the caller, now. For anybody without an account: `now`, what the catalogue says. */
export const atOwnPrices = <Result>(ctx: Context, at: CatalogueView<Result>['at'], now: Result): Result | Promise<Result> =>
  buys(ctx) ? atPricesOf(ctx.em, at, accountOf(ctx), ctx.clock.now()) : now;

/** The caller's own price of an item that is in force now; null when it pays the catalogue's. `until`: when that ends; null: nobody has said. */
export async function ownPriceOf(ctx: Context, item: string): Promise<{ until: Date | null } | null> {
  if (!buys(ctx)) return null;
  return accountPriceAt(await pricesOfAccount(ctx.em, accountOf(ctx)), item, ctx.clock.now()) ?? null;
}

/** The type OwnPrice of the builder's subgraph. Once per builder. */
export const declareOwnPrice = <Ctx extends Pick<Context, 'viewer'>>(builder: ReturnType<typeof createBuilder<Ctx>>) =>
  builder.objectRef<{ until: Date | null }>('OwnPrice').implement({
    shareable: true,
    fields: (t) => ({ until: t.expose('until', { type: 'DateTime', nullable: true }) }),
  });
