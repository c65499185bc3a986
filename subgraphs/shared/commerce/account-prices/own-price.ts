// What an account pays: a seller's products at its own prices, and that they are its own.
import { type Context, accountOf } from '#platform/context.ts';
import type { EntityManager } from '#platform/database.ts';
import type { createBuilder } from '#platform/schema-builder.ts';
import type { CatalogueView } from '../catalogue/catalogue-book.ts';
import { accountPriceAt, overrideOf } from './account-price.ts';
import { pricesOfAccount } from './account-price-rows.ts';

/** What a seller sells at any moment, at the prices of an account, which are read once. `at`: what it makes of its catalogue. */
export async function ownView<Result>(
  em: EntityManager,
  at: CatalogueView<Result>['at'],
  accountId: string,
): Promise<(moment: Date) => Result> {
  const rows = await pricesOfAccount(em, accountId);
  return (moment) => at(moment, overrideOf(rows, moment));
}

/** The same at one moment. */
export const atPricesOf = async <Result>(
  em: EntityManager,
  at: CatalogueView<Result>['at'],
  accountId: string,
  moment: Date,
): Promise<Result> => (await ownView(em, at, accountId))(moment);

const buys = ({ viewer }: Pick<Context, 'viewer'>): boolean => viewer.kind === 'session' || viewer.kind === 'key';

/** The same for the caller, now. Without an account, or a price of its own: `now`, what the catalogue says, which is not made anew for each row of a list. */
export async function atOwnPrices<Result>(ctx: Context, at: CatalogueView<Result>['at'], now: Result): Promise<Result> {
  const rows = buys(ctx) ? await pricesOfAccount(ctx.em, accountOf(ctx)) : [];
  const moment = ctx.clock.now();
  return rows.length === 0 ? now : at(moment, overrideOf(rows, moment));
}

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
