// What sales has agreed with a customer, recorded where both can read it. It does not change prices or limits of the catalogue: an arrangement with a price
// carries an offer that a product made for this account, which its owner orders like any other. Spec, What the service does: custom volumes, plans and SLAs are
// arranged through sales.
import { refuseOwnAccount } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { toDay } from '#platform/clock.ts';
import { Failure, because, fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { formatMoney } from '#commerce/money.ts';
import { type OfferTerms, openOffer } from '#commerce/offers.ts';
import {
  type Arrangement,
  type ArrangementKind,
  arrangementNotEnded,
  existingArrangement,
  insertArrangement,
  isOfferArranged,
} from '../entities/arrangement.ts';
import { orderOfOffer } from '../../billing/orders/entities/order.ts';
import type { Context } from '../../context.ts';
import { record } from '../../identity/services/activity.ts';
import { postMail } from '../../mail/services/mails.ts';
import { closeNow } from './sales-requests.ts';
import { accountFor } from '../../identity/services/staff.ts';
import { TEXT_MAX } from '../../../../schema/limits.ts';

export interface ArrangementInput {
  accountId: string;
  kind: ArrangementKind;
  terms: string;
  validUntil?: Date | null | undefined;
  /** A custom offer for this account. */
  offer?: string | null | undefined;
  /** The sales request of the account that it answers, and closes. */
  requestId?: string | null | undefined;
}

/** Errors: account_not_found, own_account_refused, parameter_invalid, request_not_found, offer_invalid, offer_expired. */
export function recordArrangement(ctx: Context, input: ArrangementInput): Promise<Arrangement> {
  const terms = input.terms.trim();
  const now = ctx.clock.now();
  if (terms === '' || terms.length > TEXT_MAX.arrangementTerms)
    throw fail('parameter_invalid', { field: 'terms', reason: because('terms_length', { max: TEXT_MAX.arrangementTerms }) });
  if (input.validUntil && input.validUntil <= now)
    throw fail('parameter_invalid', { field: 'validUntil', reason: because('arrangement_past') });
  return inTransaction(ctx, async (tx) => {
    refuseOwnAccount(ctx, input.accountId);
    const { id: accountId, email } = await accountFor(tx, input.accountId);
    const id = newId('ask', ctx.clock);
    const offered = input.offer ? customOffer(ctx, input.offer, accountId) : undefined;
    if (offered && (await isOfferArranged(tx.em, offered.id))) throw fail('offer_invalid', { reason: because('offer_arranged_already') });
    if (input.requestId) await closeNow(tx, { id: input.requestId, accountId });
    await insertArrangement(tx.em, {
      id,
      accountId,
      kind: input.kind,
      terms,
      recordedAt: now,
      validUntil: input.validUntil ?? null,
      offer: input.offer ?? null,
      offerId: offered?.id ?? null,
    });
    await record(tx, { type: 'arrangement.recorded', accountId, subject: id, data: { kind: input.kind } });
    if (offered && email) await postMail(tx, email, 'offer_made', toLetter(offered, terms, ctx.providers.publicUrl));
    return existingArrangement(tx.em, id);
  });
}

/** Errors: offer_invalid (altered, of another account, of the catalogue), offer_expired. */
function customOffer({ providers, clock }: Context, token: string, accountId: string): OfferTerms {
  const offer = openOffer(token, accountId, providers.secrets.offers, clock);
  if (!offer.custom) throw fail('offer_invalid', { reason: because('offer_of_catalogue') });
  return offer;
}

const toLetter = ({ title, totalMinor, currency, expiresAt }: OfferTerms, terms: string, publicUrl: string) => ({
  title,
  terms,
  total: formatMoney({ amountMinor: totalMinor, currency }),
  until: toDay(new Date(expiresAt)),
  url: `${publicUrl}/billing?tab=agreements`,
});

/** The offer of an arrangement that can be ordered now, or the order that was placed with it. */
export async function offerOf(ctx: Context, arrangement: Arrangement): Promise<{ terms: OfferTerms | null; orderId: string | null }> {
  const { offer, offerId, accountId, endedAt, validUntil } = arrangement;
  if (!offer || !offerId) return { terms: null, orderId: null };
  const order = await orderOfOffer(ctx.em, offerId, accountId);
  if (order) return { terms: null, orderId: order.id };
  const isOver = endedAt !== null || (validUntil ? validUntil <= ctx.clock.now() : false);
  return { terms: isOver ? null : readOffer(ctx, offer, accountId), orderId: null };
}

/** The terms of an offer; null once it has expired. */
function readOffer({ providers, clock }: Context, token: string, accountId: string): OfferTerms | null {
  try {
    return openOffer(token, accountId, providers.secrets.offers, clock);
  } catch (error) {
    if (error instanceof Failure && error.code === 'offer_expired') return null;
    throw error;
  }
}

/** Errors: request_not_found (none, or one that has ended). */
export const endArrangement = (ctx: Context, id: string): Promise<Arrangement> =>
  inTransaction(ctx, async (tx) => {
    const arrangement = await arrangementNotEnded(tx.em, id);
    if (!arrangement) throw fail('request_not_found');
    arrangement.endedAt = ctx.clock.now();
    await record(tx, { type: 'arrangement.ended', accountId: arrangement.accountId, subject: id, data: { kind: arrangement.kind } });
    return arrangement;
  });
