// Numbers that a service goes by and a page tells: each stands here once.

/** The most characters of what people write: a service refuses more, a form takes no more. */
export const TEXT_MAX = {
  abuseAddress: 64,
  abuseComplaint: 20_000,
  abuseNote: 2_000,
  abuseReporter: 200,
  arrangementTerms: 4_000,
  billingLine: 100,
  catalogueText: 80,
  couponName: 80,
  disputeStatement: 5_000,
  firewallNote: 100,
  incidentText: 2_000,
  incidentTitle: 120,
  legalNote: 300,
  legalText: 100_000,
  keyRequestNote: 1_000,
  passkeyName: 60,
  payTo: 200,
  salesLine: 100,
  salesMessage: 4_000,
  serverName: 64,
  staticLabel: 60,
  transferReference: 100,
} as const;

/** Lines of an address on invoices. */
export const BILLING_LINES_MAX = 4;

/** Codes of one coupon. */
export const COUPON_CODES_MAX = 5_000;

/** Characters that the desk's search asks for: fewer would find everybody. */
export const DESK_SEARCH_MIN = 3;

/** How long a link to choose a new password works. Another is sent after an hour at the earliest, so that the newest always works for one more. */
export const RECOVERY_LINK_HOURS = 2;

/** The history of the status page. */
export const STATUS_DAYS = 90;

/** What was paid and is not delivered after so long is stuck. */
export const STUCK_AFTER_MINUTES = 10;

/** An address that fails its checks for so long is exchanged by itself, where its owner wants that. */
export const AUTO_REPLACE_AFTER_MINUTES = 30;

/** Orders whose evidence names different countries stand on the desk for so long. */
export const CONTRADICTED_ORDERS_DAYS = 90;

/** What a processor's books lack after so long is a difference. */
export const SETTLED_AFTER_DAYS = 2;

/** Who used an address is asked for so many minutes before and after: clocks of those who complain are off, and nodes report after the bytes. */
export const ADDRESS_USE_MINUTES = { default: 10, max: 1_440 } as const;
