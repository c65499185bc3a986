// Numbers that a service goes by and a page tells: each stands here once.
import { RETENTION } from './retention.ts';

/** The most characters of what people write: a service refuses more, a form takes no more. */
export const TEXT_MAX = {
  abuseAddress: 64,
  abuseComplaint: 20_000,
  abuseNote: 2_000,
  abuseReporter: 200,
  announcementText: 1_000,
  announcementTitle: 120,
  arrangementTerms: 4_000,
  billingLine: 100,
  catalogueText: 80,
  couponCode: 40,
  couponName: 80,
  disputeStatement: 5_000,
  firewallNote: 100,
  incidentText: 2_000,
  incidentTitle: 120,
  legalNote: 300,
  legalText: 100_000,
  keyRequestNote: 1_000,
  mailSubject: 150,
  mailText: 10_000,
  networkNote: 60,
  passkeyName: 60,
  payTo: 200,
  planName: 60,
  planNote: 500,
  presetName: 60,
  salesLine: 100,
  salesMessage: 4_000,
  serverName: 64,
  sshKeyName: 64,
  staffActAbout: 100,
  staticLabel: 60,
  transferReference: 100,
  webhookDescription: 200,
  pushKey: 100,
  webhookUrl: 2_000,
} as const;

/** A page that a visitor is on the way to: a path of this site, never another host; short enough for a cookie and a link. */
export const PAGE_PATH = /^\/(?![/\\])[!-~]{0,299}$/;

/** The address of a page on the way in, which keeps the page that the visitor is on the way to; anything but a page is left out. */
export const withNext = (page: string, next: string | null): string =>
  next && PAGE_PATH.test(next) ? `${page}${page.includes('?') ? '&' : '?'}next=${encodeURIComponent(next)}` : page;

/** Proxy users of one plan. */
export const PROXY_USERS_MAX = 10_000;

/** Lines that a key may generate in one call. Spec, Endpoints. */
export const KEY_LINES_MAX = 10_000;

/** Lines of an address on invoices. */
export const BILLING_LINES_MAX = 4;

/** Characters of the key by which a caller makes a request safe to repeat. */
export const IDEMPOTENCY_KEY_LENGTH = { least: 8, most: 255 } as const;

/** Codes of one coupon. */
export const COUPON_CODES_MAX = 5_000;

/** Characters that the desk's search asks for: fewer would find everybody. */
export const DESK_SEARCH_MIN = 3;

/** How long a link to choose a new password works. Another is sent after an hour at the earliest, so that the newest always works for one more. */
export const RECOVERY_LINK_HOURS = 2;

/** Spec, Limits: extra public IPv4 per VPS. */
export const EXTRA_IPV4_MAX = 8;

/** The tools of the MCP server, one for each endpoint of REST (`test/rest-adapter/mcp/tools.test.ts`). */
export const MCP_TOOLS = 75;

/** What an account's webhooks are given. Waits between the tries of an event as the Standard Webhooks specification has them, three days together. */
export const WEBHOOKS = {
  endpoints: 10,
  waitsMinutes: [1, 5, 30, 2 * 60, 5 * 60, 10 * 60, 14 * 60, 18 * 60, 22 * 60],
  answerSeconds: 15,
  secretOverlapHours: 24,
  /** At least: an operator may keep them longer (`retention.ts`). */
  keptDays: RETENTION.webhooks.least,
} as const;

/** Browsers that show notifications (web push). */
export const PUSH = {
  /** Of one account. */
  devices: 10,
  /** Letters of a notification; browsers cut earlier. */
  titleLetters: 120,
  bodyLetters: 400,
} as const;

/** People who act in an account beside its own person. */
export const TEAM = {
  /** Members and open invitations together. */
  members: 100,
  nameLength: 60,
  /** Plans, proxy users and servers that a member may be kept to: they go along with each signed viewer. */
  things: 100,
  /** How long an invitation is good. */
  invitationDays: 7,
} as const;

/** Days before the end of a key on which its owner is warned. */
export const KEY_WARNING_DAYS = [7, 1] as const;

/** A code of an authenticator app, as every app makes it (RFC 6238). */
export const AUTHENTICATOR_CODE = { digits: 6, seconds: 30 } as const;

/** What is done to a server and has met trouble for so long is shown to staff. */
export const OPERATION_STUCK_MINUTES = 10;

/** The log of a plan's requests: at most so many of an hour of UTC and in all; sampled, one in so many of those that went well. */
export const REQUEST_LOG = { hour: 20_000, plan: 100_000, sampledOneIn: 10 } as const;

/** How often a proxy node reports, and for how long it spends a lease that the platform does not renew. */
export const NODE_SECONDS = { report: 5, unrenewed: 10 } as const;

/** The history of the status page. */
export const STATUS_DAYS = 90;

/** What was paid and is not delivered after so long is stuck. */
export const STUCK_AFTER_MINUTES = 10;

/** An address that fails its checks for so long is exchanged by itself, where its owner wants that. */
export const AUTO_REPLACE_AFTER_MINUTES = 30;

/** Orders whose evidence names different countries stand on the desk for so long. */
export const CONTRADICTED_ORDERS_DAYS = 90;

/** Spec is silent: so long notices and jobs may take before what a processor's books lack, or ours, is a difference. */
export const SETTLED_AFTER_DAYS = 2;

/** Who used an address is asked for so many minutes before and after: clocks of those who complain are off, and nodes report after the bytes. */
export const ADDRESS_USE_MINUTES = { default: 10, max: 1_440 } as const;

/** Countries that a proxy username names, and as many that it excludes. Spec is silent: twenty named and twenty excluded fit into the 255 bytes that SOCKS5 has for a username (RFC 1929). */
export const LINE_COUNTRIES_MAX = 20;
