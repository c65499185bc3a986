// What a proxy node needs from the platform, and nothing else: who a username is, leases of bandwidth, and news. The node knows no database.
import type { Origin } from '../domain/lease.ts';
import type { PlanStatus } from '../domain/plan.ts';
import type { ProductCode } from '../domain/products.ts';

/** A plan as a node may know it: a fingerprint of the password, never the password. */
export interface PlanFacts {
  planId: string;
  username: string;
  /** Raised by Reset Proxy Authentication: another epoch makes leases and passwords of before worthless. */
  epoch: number;
  /** SHA-256 of the password. */
  fingerprint: Buffer;
  product: ProductCode;
  /** Lifetimes that a sticky line of this product may ask for. */
  sessionMinutes: readonly number[];
  status: PlanStatus;
  /** Seconds to 00:00 UTC, for a paused plan. */
  retryAfterSeconds?: number;
}

/** Bytes of one origin so far under a lease. Both counters only grow. */
export interface LeasePart extends Origin {
  up: number;
  down: number;
}

/**
 * What was spent of a lease so far: cumulative, so that a report that is lost, repeated or late changes nothing. The sums of the parts are the lease's use.
 * `final`: no byte will be spent under this lease any more.
 */
export interface LeaseReport {
  lease: string;
  parts: readonly LeasePart[];
  final: boolean;
}

export interface LeaseWant {
  planId: string;
  epoch: number;
  bytes: number;
  /** Somebody stands still for want of it: what idle nodes hold is called in. */
  starved: boolean;
}

export interface SyncRequest {
  reports: readonly LeaseReport[];
  wants: readonly LeaseWant[];
}

export type GrantOutcome =
  | 'granted'
  /** All that is left is leased to other nodes: ask again. */
  | 'wait'
  | 'used_up'
  | 'daily_limit'
  /** Another epoch. */
  | 'revoked'
  | 'unknown';

export interface LeaseGrant {
  planId: string;
  outcome: GrantOutcome;
  /** Present when granted. */
  lease?: string;
  bytes: number;
  /** Counted by the node from the moment it sent the request, on its monotonic clock. */
  validMs: number;
}

export interface SyncAnswer {
  /** Reported leases that may be spent on. */
  renewed: readonly { lease: string; validMs: number }[];
  grants: readonly LeaseGrant[];
}

export interface FeedListener {
  /** Something about a plan changed: password, limit, status, allowance. */
  changed(change: { planId: string; epoch: number }): void;
  /** Once a second while the feed stands. */
  beat(): void;
  /** The feed broke: news may have been missed. */
  lost(): void;
}

export interface ControlPlane {
  /** Undefined: no plan has this username. Rejects when the platform is away. */
  plan(username: string): Promise<PlanFacts | undefined>;
  /** Rejects when the platform is away; the node repeats its reports. */
  sync(request: SyncRequest): Promise<SyncAnswer>;
  /** Calls the listener until the returned function is called; comes back by itself after a break. */
  follow(listener: FeedListener): () => void;
}
