// The second contract beside the SDL: every fact of the event log, and what it carries. Events are stored and read by later and earlier releases, so that nothing that
// stands here goes or changes: `events.txt` is its print, and a test refuses what breaks it. A field that is added later is optional.
import { ACCOUNT_PRICE_EVENTS } from './events/account-prices.ts';
import { ACCOUNTS_EVENTS } from './events/accounts.ts';
import { COMPUTE_EVENTS } from './events/compute.ts';
import { COST_EVENTS } from './events/costs.ts';
import { FULFILMENT_EVENTS } from './events/fulfilment.ts';
import { REPRICING_EVENTS } from './events/repricing.ts';
import { RESIDENTIAL_EVENTS } from './events/residential.ts';
import { STAFF_EVENTS } from './events/staff.ts';
import { STATIC_EVENTS } from './events/static.ts';

/**
 * Subgraph -> the types that it appends. What they share appends what staff do (`#platform/staff-trail.ts`), another price of what renews (`#commerce/repricing/`),
 * a price of one account (`#commerce/account-prices/`), and what products have cost (`#commerce/costs/`).
 */
export const EVENTS_BY = {
  accounts: ACCOUNTS_EVENTS,
  residential: { ...RESIDENTIAL_EVENTS, ...FULFILMENT_EVENTS },
  static: { ...STATIC_EVENTS, ...FULFILMENT_EVENTS },
  compute: { ...COMPUTE_EVENTS, ...FULFILMENT_EVENTS },
} as const;

/** Type (`resource.verb_past`) -> when it is appended, and its payload. */
export const EVENTS = {
  ...ACCOUNTS_EVENTS,
  ...RESIDENTIAL_EVENTS,
  ...STATIC_EVENTS,
  ...COMPUTE_EVENTS,
  ...FULFILMENT_EVENTS,
  ...REPRICING_EVENTS,
  ...ACCOUNT_PRICE_EVENTS,
  ...COST_EVENTS,
  ...STAFF_EVENTS,
} as const;
