// What happened at the card processor lately, whether its webhooks arrived or not: it lists the events of the last thirty days.
// https://docs.stripe.com/api/events/list
import type Stripe from 'stripe';
import { type Notice, newestOfEach } from '../payment-processor.ts';
import { CARD_EVENTS } from './card-check.ts';
import { toSeconds } from './card-client.ts';

export interface CardRecent {
  recent(since: Date): Promise<Pick<Notice, 'type' | 'objectId'>[]>;
}

/** The newest so many are listed: a day that has more of them is not seen as a whole. */
const MAX_LISTED = 3_000;
/** Other sweeps ask for checkouts and invoices. The events of a refund's charge repeat those of the refund, and are left out. */
const TYPES = CARD_EVENTS.filter((type) => /^(charge\.dispute|radar|refund)\./.test(type));

export const createCardRecent = (stripe: Stripe): CardRecent => ({
  async recent(since) {
    const listed = stripe.events.list({ types: TYPES, created: { gte: toSeconds(since) }, limit: 100 });
    const events = await listed.autoPagingToArray({ limit: MAX_LISTED });
    return newestOfEach(events.map(({ type, data }) => ({ type, objectId: (data.object as { id: string }).id })));
  },
});
