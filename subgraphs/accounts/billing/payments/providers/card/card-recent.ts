// What happened to payments lately without us: as its notices would have named it, had they come.
import type Stripe from 'stripe';
import type { Notice } from '../payment-processor.ts';
import { idOf, toSeconds } from './card-client.ts';

export interface CardRecent {
  recent(since: Date): Promise<Pick<Notice, 'type' | 'objectId'>[]>;
}

/** Of each kind: so many are looked at, the newest. */
const MAX_LISTED = 1_000;

export const createCardRecent = (stripe: Stripe): CardRecent => ({
  async recent(since) {
    const page = { created: { gte: toSeconds(since) }, limit: 100 };
    const refunds = await stripe.refunds.list(page).autoPagingToArray({ limit: MAX_LISTED });
    const disputes = await stripe.disputes.list(page).autoPagingToArray({ limit: MAX_LISTED });
    const warnings = await stripe.radar.earlyFraudWarnings.list(page).autoPagingToArray({ limit: MAX_LISTED });
    // One of a payment brings all that was given back of it.
    const ofPayments = new Map(refunds.map((refund) => [idOf(refund.payment_intent) ?? refund.id, refund.id]));
    return [
      ...[...ofPayments.values()].map((objectId) => ({ type: 'refund.created', objectId })),
      ...disputes.map(({ id: objectId }) => ({ type: 'charge.dispute.updated', objectId })),
      ...warnings.map(({ id: objectId }) => ({ type: 'radar.early_fraud_warning.updated', objectId })),
    ];
  },
});
