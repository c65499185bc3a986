// What an operator does with the prices of one account, at the support desk or by the command `prices`.
import { type Context, refuseOwnAccount, setterOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import type { Seller } from '../../../../schema/subgraphs.ts';
import type { CatalogueBook } from '../catalogue/catalogue-book.ts';
import { type CatalogueField, type CatalogueMoment, entriesOf, stateOf, turnsAfter, valueAt } from '../catalogue/catalogue-entry.ts';
import { sameValue, toText } from '../catalogue/catalogue-value.ts';
import { typedSpan, typedValue } from '../catalogue/typed-value.ts';
import { toMinor } from '../money.ts';
import { repriceAccount, withdrawOfAccount } from '../repricing/reprice.ts';
import { approvalEnds } from '../second-person.ts';
import { checkReason } from '../support-reason.ts';
import { appendEnded, appendRequested, appendSet } from './account-price-facts.ts';
import { type AccountPrice, dated, overrideOf, priceFieldOf, textOf } from './account-price.ts';
import { type AccountPriceRequest, insertPriceRequest, priceRequestsOfAccount } from './account-price-request-rows.ts';
import { insertAccountPrice, lockAccountPrice, markEnded, pricesOfAccount } from './account-price-rows.ts';
import { loweredBasisPoints } from './lowered.ts';

export interface AccountPriceProviders {
  catalogue: CatalogueBook;
  /** Hundredths of a percent that one member of staff may take off a price alone. */
  discountLimitBasisPoints: number;
}

export type AccountPriceContext = Context<AccountPriceProviders>;

/** `value` is as a person types it: a price as in the catalogue, or "15%" off it. Without `from` it begins now; without `until` it lasts. */
export interface AccountPriceWish {
  accountId: string;
  item: string;
  value: string;
  from?: Date | null | undefined;
  until?: Date | null | undefined;
}

/** A price of an account as the desk shows it. */
export interface AccountPriceLine extends AccountPrice {
  /** As it was set. */
  text: string;
  /** What the account pays by it now, or when it begins. */
  costs: string;
  state: ReturnType<typeof stateOf>;
  /** Until when it waits for a second member of staff, without any effect; null: it does not. */
  awaitsApprovalUntil: Date | null;
  /** How far below the catalogue what waits is at most, in hundredths of a percent. */
  lowersBasisPoints: number | null;
  /** Who agreed to it; null: nobody had to. */
  approvedBy: string | null;
}

/** Packages are bought once; what the others sell renews, and has repricings. */
const renews = (seller: Seller): boolean => seller !== 'residential';

const fieldOf = ({ providers }: AccountPriceContext, item: string): CatalogueField => {
  const field = priceFieldOf(providers.catalogue.fields, item);
  if (!field) throw fail('parameter_invalid', { field: 'item', reason: because('account_price_item_unknown') });
  return field;
};

function valueIn(field: CatalogueField, text: string): Pick<AccountPrice, 'price' | 'offBasisPoints'> {
  const [, percent] = /^(\d{1,3}(?:\.\d{1,2})?)\s*%$/.exec(text.trim()) ?? [];
  if (percent === undefined) return { price: typedValue(field, text), offBasisPoints: null };
  const offBasisPoints = toMinor(percent);
  if (offBasisPoints >= 1 && offBasisPoints < 10_000) return { price: null, offBasisPoints };
  throw fail('parameter_invalid', { field: 'value', reason: because('account_price_percent_unfit') });
}

function toRow(ctx: AccountPriceContext, { accountId, item, value, ...span }: AccountPriceWish): Omit<AccountPrice, 'reason'> {
  const { clock } = ctx;
  const [setAt, setBy] = [clock.now(), setterOf(ctx)];
  const price = valueIn(fieldOf(ctx, item), value);
  return { id: newId('acp', clock), accountId, item, ...price, ...typedSpan(span, setAt), setAt, setBy, endedAt: null };
}

/** What an account with these rows pays for the item from now on; what costs the same as before is no moment of its own. */
function momentsOf({ providers, clock }: AccountPriceContext, field: CatalogueField, rows: readonly AccountPrice[]): CatalogueMoment[] {
  const now = clock.now();
  const entries = entriesOf(providers.catalogue.entries(), field);
  const own = rows.filter(({ item }) => item === field.item);
  const turns = [...turnsAfter(entries, now), ...turnsAfter(own.map(dated), now)].toSorted((one, other) => one.getTime() - other.getTime());
  const moments = [now, ...turns].map((from) => ({ from, value: overrideOf(own, from)(field, valueAt(field, entries, from)) }));
  return moments.filter(({ value }, index) => index === 0 || !sameValue(value, moments[index - 1]?.value ?? ''));
}

function lineOf(ctx: AccountPriceContext, row: AccountPrice, rows: readonly AccountPrice[]): AccountPriceLine {
  const field = fieldOf(ctx, row.item);
  const now = ctx.clock.now();
  const at = row.from > now ? row.from : now;
  const catalogue = valueAt(field, entriesOf(ctx.providers.catalogue.entries(), field), at);
  const costs = toText(field.kind, overrideOf([{ ...row, until: null, endedAt: null }], at)(field, catalogue));
  const own = rows.filter(({ item }) => item === row.item).map(dated);
  const alone = { awaitsApprovalUntil: null, lowersBasisPoints: null, approvedBy: null };
  return { ...row, ...alone, text: textOf(row, field), costs, state: stateOf(dated(row), own, now) };
}

/** What waits for a second member of staff: it is ahead, whenever it was to begin. */
export function waitingLine(ctx: AccountPriceContext, request: AccountPriceRequest): AccountPriceLine {
  const { expiresAt: awaitsApprovalUntil, lowersBasisPoints } = request;
  return { ...lineOf(ctx, request, []), awaitsApprovalUntil, lowersBasisPoints, state: 'AHEAD' };
}

/**
 * Every price that the account has or had of this seller, and what waits for a second member of staff, the latest first. One of an item that is no longer in the
 * catalogue is left out.
 */
export async function accountPriceLines(ctx: AccountPriceContext, accountId: string): Promise<AccountPriceLine[]> {
  const now = ctx.clock.now();
  const isKnown = ({ item }: AccountPrice) => priceFieldOf(ctx.providers.catalogue.fields, item) !== undefined;
  const rows = (await pricesOfAccount(ctx.em, accountId)).filter(isKnown);
  const requests = (await priceRequestsOfAccount(ctx.em, accountId)).filter(isKnown);
  const approvedBy = ({ id }: AccountPrice) => requests.find((request) => request.id === id)?.decidedBy ?? null;
  const waiting = requests.filter(({ decision, expiresAt }) => decision === null && expiresAt > now);
  return [
    ...rows.map((row) => ({ ...lineOf(ctx, row, rows), approvedBy: approvedBy(row) })),
    ...waiting.map((row) => waitingLine(ctx, row)),
  ].toReversed();
}

/** What the account would pay for the item from now on. Errors: parameter_invalid. */
export async function previewAccountPrice(
  ctx: AccountPriceContext,
  wish: AccountPriceWish,
): Promise<{ field: CatalogueField; moments: CatalogueMoment[] }> {
  const row = { ...toRow(ctx, wish), reason: '' };
  const field = fieldOf(ctx, wish.item);
  return { field, moments: momentsOf(ctx, field, [...(await pricesOfAccount(ctx.em, wish.accountId)), row]) };
}

/** How far a price would be below the catalogue's, and whether one member of staff may set it. */
export interface AccountPriceLowering {
  /** Hundredths of a percent, at most, at any moment of its validity. */
  lowersBasisPoints: number;
  /** What one may take off alone. */
  aloneBasisPoints: number;
  needsSecondPerson: boolean;
}

function loweringOf({ providers }: AccountPriceContext, row: Omit<AccountPrice, 'reason'>): AccountPriceLowering {
  const field = priceFieldOf(providers.catalogue.fields, row.item);
  const lowersBasisPoints = field ? loweredBasisPoints(row, field, entriesOf(providers.catalogue.entries(), field)) : 0;
  const aloneBasisPoints = providers.discountLimitBasisPoints;
  return { lowersBasisPoints, aloneBasisPoints, needsSecondPerson: lowersBasisPoints > aloneBasisPoints };
}

/** The same of a price for any account, before it is set. Errors: parameter_invalid. */
export const previewLowering = (ctx: AccountPriceContext, wish: Omit<AccountPriceWish, 'accountId'>): AccountPriceLowering =>
  loweringOf(ctx, toRow(ctx, { ...wish, accountId: '' }));

/**
 * Sets what an account pays for an item. Offers that are signed already keep their price, and what it has bought renews at its own: with `running` it renews at
 * the new one, where that is cheaper. `tell`: the owner is told by mail. What lowers a price by more than one member of staff may waits for a second one. Errors:
 * own_account_refused, parameter_invalid.
 */
export async function setAccountPrice(
  ctx: AccountPriceContext,
  seller: Seller,
  { reason: given, running = false, tell = true, ...wish }: AccountPriceWish & { reason: string; running?: boolean; tell?: boolean },
): Promise<AccountPriceLine> {
  refuseOwnAccount(ctx, wish.accountId);
  const row = { ...toRow(ctx, wish), reason: checkReason(given) };
  const { lowersBasisPoints, needsSecondPerson } = loweringOf(ctx, row);
  return inTransaction(ctx, async (tx) => {
    if (!needsSecondPerson) return putInForce(tx, seller, row, { running, tell });
    const asked = {
      lowersBasisPoints,
      running,
      tell,
      askedBy: row.setBy,
      expiresAt: approvalEnds(row.setAt),
      decision: null,
      decidedBy: null,
    };
    const request = { ...row, ...asked };
    await insertPriceRequest(tx.em, request);
    await appendRequested(tx, seller, request);
    return waitingLine(tx, request);
  });
}

/** In the transaction that sets a price, or agrees to one. */
export async function putInForce(
  tx: AccountPriceContext,
  seller: Seller,
  row: AccountPrice,
  { running, tell }: { running: boolean; tell: boolean },
): Promise<AccountPriceLine> {
  await insertAccountPrice(tx.em, row);
  if (running && renews(seller)) await repriceAccount(tx, seller, { ...row, at: row.from });
  const rows = await pricesOfAccount(tx.em, row.accountId);
  await appendSet(tx, seller, row, { rows, running: running && renews(seller), tell });
  return lineOf(tx, row, rows);
}

/**
 * Ends a price of an account: it pays the catalogue's from now on. What has renewed at it keeps it; what has not renewed yet does not. `tell`: the owner
 * is told by mail. Errors: own_account_refused, parameter_invalid, action_not_allowed.
 */
export async function endAccountPrice(ctx: AccountPriceContext, seller: Seller, id: string, tell = true): Promise<AccountPriceLine> {
  return inTransaction(ctx, async (tx) => {
    const row = await lockAccountPrice(tx.em, id);
    if (!row) throw fail('parameter_invalid', { field: 'id', reason: because('account_price_unknown') });
    refuseOwnAccount(tx, row.accountId);
    const endedAt = tx.clock.now();
    if (row.endedAt || (row.until && row.until <= endedAt)) throw fail('action_not_allowed', { reason: because('account_price_over') });
    await markEnded(tx.em, id, endedAt, setterOf(tx));
    if (renews(seller)) await withdrawOfAccount(tx, seller, { ...row, at: row.from });
    const rows = await pricesOfAccount(tx.em, row.accountId);
    await appendEnded(tx, seller, row, { rows, tell });
    return lineOf(tx, { ...row, endedAt }, rows);
  });
}
