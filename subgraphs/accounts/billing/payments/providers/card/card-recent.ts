// What happened at the card processor lately, whether its webhooks arrived or not: it lists the events of the last thirty days.
// https://docs.stripe.com/api/events/list
import type Stripe from 'stripe';
import type { Notice } from '../payment-processor.ts';
import { toSeconds } from './card-client.ts';

export interface CardRecent {
  recent(since: Date): Promise<Pick<Notice, 'type' | 'objectId'>[]>;
}

/** The newest are looked at first; what is left over is looked at the next day. */
const MAX_LISTED = 1_000;
/** Other sweeps ask for checkouts and invoices. The events of a refund's charge repeat those of the refund, and are left out. */
const TYPES = [
  'charge.dispute.closed',
  'charge.dispute.created',
  'charge.dispute.funds_reinstated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.updated',
  'radar.early_fraud_warning.created',
  'radar.early_fraud_warning.updated',
  'refund.created',
  'refund.failed',
  'refund.updated',
] as const satisfies readonly Stripe.Event['type'][];

export const createCardRecent = (stripe: Stripe): CardRecent => ({
  async recent(since) {
    // The newest event of an object is enough: the processor is asked how the object stands now.
    const found = new Map<string, Pick<Notice, 'type' | 'objectId'>>();
    const listed = stripe.events.list({ types: [...TYPES], created: { gte: toSeconds(since) }, limit: 100 });
    for (const { type, data } of await listed.autoPagingToArray({ limit: MAX_LISTED })) {
      const { id: objectId } = data.object as { id: string };
      if (!found.has(objectId)) found.set(objectId, { type, objectId });
    }
    return [...found.values()];
  },
});
