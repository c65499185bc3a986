// What a seller says of the prices of one account, in the transaction that sets or ends one; accounts tells the owner.
import type { Context } from '#platform/context.ts';
import { appendEvents } from '#platform/events.ts';
import type { Seller } from '../../../../schema/subgraphs.ts';
import type { CatalogueBook } from '../catalogue/catalogue-book.ts';
import { entriesOf, valueAt } from '../catalogue/catalogue-entry.ts';
import { stepsOf } from '../catalogue/catalogue-value.ts';
import type { AccountPriceRequest } from './account-price-request-rows.ts';
import { type AccountPrice, accountPriceAt, overrideOf, priceFieldOf } from './account-price.ts';

type FactContext = Context<{ catalogue: CatalogueBook }>;

/** What an account with these rows pays for an item at a moment, and what the catalogue calls it then. */
function paidAt({ providers: { catalogue } }: FactContext, item: string, rows: readonly AccountPrice[], at: Date) {
  const read = (field: (typeof catalogue.fields)[number]) => valueAt(field, entriesOf(catalogue.entries(), field), at);
  const named = catalogue.fields.find((field) => field.item === item && (field.name === 'name' || field.name === 'carrier'));
  const priced = priceFieldOf(catalogue.fields, item);
  const price = priced ? overrideOf(rows, at)(priced, read(priced)) : {};
  return { ...(named && { name: String(read(named)) }), prices: stepsOf(price).map(([from, amountMinor]) => ({ from, amountMinor })) };
}

/** That a price is set. `rows`: all prices of the account, with this one. */
export async function appendSet(
  ctx: FactContext,
  seller: Seller,
  row: AccountPrice,
  { rows, running, tell }: { rows: readonly AccountPrice[]; running: boolean; tell: boolean },
): Promise<void> {
  const { id, accountId, item, offBasisPoints, from, until } = row;
  const others = rows.filter((other) => other.id !== id);
  const data = {
    seller,
    item,
    ...paidAt(ctx, item, rows, from),
    tell,
    from: from.toISOString(),
    running,
    ...(offBasisPoints !== null && { offBasisPoints }),
    ...(until && { until: until.toISOString() }),
    changes: accountPriceAt(others, item, from) !== undefined,
  };
  await appendEvents(ctx.em, { type: 'account_price.set', at: ctx.clock.now(), accountId, subject: id, data });
}

/** That a price waits for a second member of staff. */
export const appendRequested = (
  ctx: FactContext,
  seller: Seller,
  { id, accountId, item, lowersBasisPoints, askedBy, expiresAt }: AccountPriceRequest,
): Promise<void> =>
  appendEvents(ctx.em, {
    type: 'account_price.requested',
    at: ctx.clock.now(),
    accountId,
    subject: id,
    data: { seller, item, lowersBasisPoints, askedBy, expiresAt: expiresAt.toISOString() },
  });

/** That a price is ended now. `rows`: all prices of the account, with this one as it is ended. */
export async function appendEnded(
  ctx: FactContext,
  seller: Seller,
  { id, accountId, item, from }: AccountPrice,
  { rows, tell }: { rows: readonly AccountPrice[]; tell: boolean },
): Promise<void> {
  const at = ctx.clock.now();
  const data = { seller, item, ...paidAt(ctx, item, rows, at), tell, ...(from > at && { from: from.toISOString() }) };
  await appendEvents(ctx.em, { type: 'account_price.ended', at, accountId, subject: id, data });
}
