// What happened at PayPal lately, whether its webhooks arrived or not: it lists the events of the last thirty days.
// https://developer.paypal.com/docs/api/webhooks/v1/#webhooks-events_list
import { z } from 'zod';
import { type Notice, newestOfEach } from '../payment-processor.ts';
import type { PayPalClient } from './paypal-client.ts';
import { eventShape, toNotice } from './paypal-notices.ts';

export interface PayPalRecent {
  recent(since: Date): Promise<Pick<Notice, 'type' | 'objectId'>[]>;
}

const PAGE_SIZE = 100;
/** The newest so many pages are listed: a day that has more events is not seen as a whole. */
const MAX_PAGES = 10;

const pageShape = z.object({
  events: z.array(eventShape).default([]),
  links: z.array(z.object({ href: z.string(), rel: z.string() })).default([]),
});

/** Other sweeps ask for orders and saved accounts. */
const isLookedFor = (type: string): boolean => /^(CUSTOMER\.DISPUTE|PAYMENT\.REFUND)\.|^PAYMENT\.CAPTURE\.(REFUNDED|REVERSED)$/.test(type);

export const createPayPalRecent = (client: PayPalClient): PayPalRecent => ({
  async recent(since) {
    const found: Pick<Notice, 'type' | 'objectId'>[] = [];
    const query = new URLSearchParams({ page_size: String(PAGE_SIZE), start_time: `${since.toISOString().slice(0, 19)}Z` });
    let path: string | undefined = `/v1/notifications/webhooks-events?${query.toString()}`;
    for (let page = 0; path !== undefined && page < MAX_PAGES; page++) {
      const { events, links } = pageShape.parse(await client.call('GET', path));
      for (const event of events) {
        const notice = toNotice(event);
        if (notice && isLookedFor(notice.type)) found.push(notice);
      }
      const next = links.find(({ rel }) => rel === 'next');
      const { pathname, search } = new URL(next?.href ?? 'http://localhost');
      path = next && pathname + search;
    }
    return newestOfEach(found);
  },
});
