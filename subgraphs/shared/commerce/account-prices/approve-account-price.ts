// A price of one account that lowers more than one member of staff may: a second one agrees to it or declines it, at the desk or by the command `prices`.
import { refuseOwnAccount } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import type { Seller } from '../../../../schema/subgraphs.ts';
import { deciderOf } from '../second-person.ts';
import { type AccountPriceRequest, lockPriceRequest, openPriceRequests, storeDecision } from './account-price-request-rows.ts';
import { priceFieldOf } from './account-price.ts';
import { type AccountPriceContext, type AccountPriceLine, putInForce, waitingLine } from './set-account-price.ts';

/** What waits for a second member of staff, of all accounts, the earliest first. */
export async function waitingAccountPrices(ctx: AccountPriceContext): Promise<AccountPriceLine[]> {
  const requests = await openPriceRequests(ctx.em, ctx.clock.now());
  return requests.filter(({ item }) => priceFieldOf(ctx.providers.catalogue.fields, item)).map((request) => waitingLine(ctx, request));
}

async function decider(tx: AccountPriceContext, id: string) {
  const reasons = { decided: because('account_price_decided'), own: because('account_price_asked_by_you') };
  const found = deciderOf(tx, await lockPriceRequest(tx.em, id), reasons);
  refuseOwnAccount(tx, found.request.accountId);
  return found;
}

/** The price as it comes into force: not before somebody agreed. Errors: action_not_allowed (it would be over). */
function agreed({ id, accountId, item, price, offBasisPoints, from, until, setBy, reason }: AccountPriceRequest, at: Date) {
  if (until && until <= at) throw fail('action_not_allowed', { reason: because('account_price_over') });
  return { id, accountId, item, price, offBasisPoints, from: from > at ? from : at, until, setAt: at, setBy, reason, endedAt: null };
}

/**
 * Agrees to a price: the account pays it from now on, or from when it was to begin. Errors: request_not_found, own_account_refused, action_not_allowed (asked by
 * oneself, answered already, or over).
 */
export function approveAccountPrice(ctx: AccountPriceContext, seller: Seller, id: string): Promise<AccountPriceLine> {
  return inTransaction(ctx, async (tx) => {
    const { request, ...by } = await decider(tx, id);
    const row = agreed(request, by.decidedAt);
    await storeDecision(tx.em, id, { ...by, decision: 'APPROVED' });
    return { ...(await putInForce(tx, seller, row, request)), approvedBy: by.decidedBy };
  });
}

/** Declines a price, which never holds. Errors: as to agree to it. */
export function declineAccountPrice(ctx: AccountPriceContext, id: string): Promise<AccountPriceLine> {
  return inTransaction(ctx, async (tx) => {
    const { request, ...by } = await decider(tx, id);
    await storeDecision(tx.em, id, { ...by, decision: 'DECLINED' });
    return { ...waitingLine(tx, request), awaitsApprovalUntil: null, state: 'WITHDRAWN' };
  });
}
