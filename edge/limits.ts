// Every number of the data plane. Spec is silent on all of them; a test or an operator may replace any.
import { NODE_SECONDS } from '../schema/limits.ts';
import { MINUTE, SECOND } from '#platform/clock.ts';

export const EDGE_LIMITS = {
  /** Open connections of one plan on one node; a common value in this market. */
  connectionsPerPlan: 2_000,
  /** Of one IPv4 address, or of one /64 of IPv6. */
  connectionsPerAddress: 4_000,
  /** Those of them that have not yet said what they want. */
  handshakesPerAddress: 512,
  /** The same for a /48 of IPv6: whoever has one can come from 65,536 networks. */
  connectionsPerSite: 16_000,
  handshakesPerSite: 2_048,
  /** Bytes and time for the head of a request, or for the SOCKS5 negotiation. */
  headBytes: 16_384,
  headMs: 10 * SECOND,
  connectMs: 15 * SECOND,
  idleMs: 5 * MINUTE,
  /** Between two requests of a kept-alive client. */
  keepAliveMs: 30 * SECOND,
  /** Time to write a refusal before the socket is taken away. */
  lingerMs: SECOND,
  /** Further exits tried when a rotating line's exit fails before anything was sent. */
  exitRetries: 2,
  /** How long a plan's facts are believed while the feed stands. */
  factsMs: 10 * SECOND,
  /** The same for a plan that is not active: somebody is waiting for it. */
  refusedFactsMs: SECOND,
  /** A connection waits this long for its first lease. */
  leaseWaitMs: 5 * SECOND,
  tickMs: SECOND,
  /** A plan that is idle this long gives its lease back. */
  holdMs: 10 * SECOND,
  /** The feed is lost when it has been silent this long. */
  feedSilenceMs: 3 * SECOND,
  /** How long known plans go on without the platform; 0: as long as their leases are good for. */
  graceMs: 0,
  /** A lease that the platform does not renew is spent for no longer, whatever the grace. */
  unrenewedMs: NODE_SECONDS.unrenewed * SECOND,
  leaseBytesMin: 1_048_576,
  leaseBytesMax: 64 * 1_048_576,
} as const;

export type EdgeLimits = { readonly [Name in keyof typeof EDGE_LIMITS]: number };
