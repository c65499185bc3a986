// All limits of the node. Spec is silent on all of them; a test may replace any.
import { NODE_SECONDS } from '../schema/limits.ts';
import { MINUTE, SECOND } from '#platform/clock.ts';

export const EDGE_LIMITS = {
  /** Open connections of one plan on one node; a common value in this market. */
  connectionsPerPlan: 2_000,
  /** Per IPv4 address or /64 of IPv6. */
  connectionsPerAddress: 4_000,
  /** Connections among them whose request has not been read yet. */
  handshakesPerAddress: 512,
  /** Per /48 of IPv6, whose holder has 65,536 networks of /64. */
  connectionsPerSite: 16_000,
  handshakesPerSite: 2_048,
  /** Size and time limit for the head of a request; the time also for the SOCKS5 negotiation. */
  headBytes: 16_384,
  headMs: 10 * SECOND,
  connectMs: 15 * SECOND,
  idleMs: 5 * MINUTE,
  /** Between two requests on a persistent connection. */
  keepAliveMs: 30 * SECOND,
  /** How old a connection to a target may be when another request of the same customer's connection and session uses it; 0: each has its own. */
  keptMs: 5 * MINUTE,
  /** Time to deliver a refusal before the connection is destroyed. */
  lingerMs: SECOND,
  /** How many other exits are tried when a rotating line's exit fails before anything was sent. */
  exitRetries: 2,
  /** How long a plan's facts are cached while the feed is connected. */
  factsMs: 10 * SECOND,
  /** The same for a refused plan, which may become active at any time. */
  refusedFactsMs: SECOND,
  /** How long a connection waits for its first lease. */
  leaseWaitMs: 5 * SECOND,
  tickMs: SECOND,
  /** A plan that is idle for this long returns its leases. */
  holdMs: 10 * SECOND,
  /** The feed counts as disconnected after this long without a line. */
  feedSilenceMs: 3 * SECOND,
  /** How long known plans go on without the platform; 0: as long as their leases are valid. */
  graceMs: 0,
  /** A lease that the platform does not renew ends after this long, whatever the grace. */
  unrenewedMs: NODE_SECONDS.unrenewed * SECOND,
  leaseBytesMin: 1_048_576,
  leaseBytesMax: 64 * 1_048_576,
} as const;

export type EdgeLimits = { readonly [Name in keyof typeof EDGE_LIMITS]: number };
