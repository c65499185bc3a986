// What a proxy node needs from the platform, and nothing else: who a username is, leases of bandwidth, and news. The node knows no database.
import type { ExitName, Origin } from './origin.ts';
import type { ClientNetwork } from './client-network.ts';
import type { GatewayDefinition } from './gateway.ts';
import type { ProductCode } from './product.ts';

/** What a plan lets its lines do at a moment: carry traffic, wait for 00:00 UTC, nothing more. */
export const PLAN_STATUSES = ['ACTIVE', 'PAUSED', 'EXPIRED'] as const;
export type PlanStatus = (typeof PLAN_STATUSES)[number];

/** What a proxy user's lines are for. Absent: whatever the plan's are for. */
export interface LineRules {
  /** Country codes as usernames carry them; a line that names none of them is refused. */
  countries?: readonly string[] | undefined;
  /** Hosts with all below them, or addresses: these and no others. */
  targets?: readonly string[] | undefined;
  /** Addresses and networks (CIDR) that the line works from. */
  clients?: readonly string[] | undefined;
}

/** Why a proxy user is let nowhere, though the plan may: its owner has paused it, or a limit of its own is reached. */
export type UserStop = 'paused' | 'limit' | 'used_up';

/** A plan, or a proxy user of one, as a node may know it: a fingerprint of the password, never the password. */
export interface PlanFacts {
  /** Of a proxy user: `subject.ts`. */
  planId: string;
  username: string;
  /** Raised by Reset Proxy Authentication: another epoch makes leases and passwords of before worthless. */
  epoch: number;
  /** SHA-256 of the password. */
  fingerprint: Buffer;
  /** The same of passwords from before resets, the latest first: the owner is notified who still has them. */
  oldFingerprints: readonly Buffer[];
  product: ProductCode;
  /** Lifetimes that a sticky line of this product may ask for. */
  sessionMinutes: readonly number[];
  status: PlanStatus;
  /** Its account is suspended: nothing flows, whatever the status. */
  suspended?: boolean | undefined;
  /** Seconds to 00:00 UTC, for a paused plan; of a user, to the end of what its limit is of. */
  retryAfterSeconds?: number | undefined;
  /** Of a proxy user alone. A node that does not know them goes by the status. */
  rules?: LineRules | undefined;
  stop?: UserStop | undefined;
}

/** Bytes of a part that left by one exit and that the ledger has not confirmed. */
export interface ExitShare extends ExitName {
  up: number;
  down: number;
}

/** Bytes of one origin so far under a lease. Both counters only grow. */
export interface LeasePart extends Origin {
  up: number;
  down: number;
  /** By which exits what is new of it left. Absent: not known, as of nodes of before; what counts is above. */
  exits?: readonly ExitShare[] | undefined;
}

/**
 * What was spent of a lease so far: cumulative, so that a report that is lost, repeated or late changes nothing. The sums of the parts are the
 * lease's use. `final`: no byte will be spent under this lease any more.
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

/** Log-ins that were refused since the last exchange because their password is of before a reset. */
export interface OldPasswordTries {
  planId: string;
  client: string;
  tries: number;
}

export interface SyncRequest {
  reports: readonly LeaseReport[];
  wants: readonly LeaseWant[];
  oldPasswords?: readonly OldPasswordTries[] | undefined;
  /** How long this node is to go on without the platform, milliseconds: leases are good for as long, and kept for it. Absent: as long as leases are. */
  graceMs?: number | undefined;
}

/** No node goes on for longer. */
export const MAX_GRACE_MS = 3_600_000;

export type GrantOutcome =
  | 'granted'
  /** All that is left is leased to other nodes: ask again. */
  | 'wait'
  | 'used_up'
  | 'daily_limit'
  /** Another epoch. */
  | 'revoked'
  /** Its account is suspended. */
  | 'suspended'
  /** The user's own limit, or its owner: as `UserStop`. */
  | 'user_limit'
  | 'user_used_up'
  | 'user_paused'
  | 'unknown';

export interface LeaseGrant {
  planId: string;
  outcome: GrantOutcome;
  /** Present when granted. */
  lease?: string | undefined;
  bytes: number;
  /** Counted by the node from the moment it sent the request, on its monotonic clock. */
  validMs: number;
}

export interface SyncAnswer {
  /** Reported leases that may be spent on. */
  renewed: readonly { lease: string; validMs: number }[];
  grants: readonly LeaseGrant[];
}

/** A static plan as a node may know it: its addresses, and who may use them. No lease: nothing of it is metered against anything. */
export interface StaticPlanFacts {
  planId: string;
  username: string;
  /** SHA-256 of the password. */
  fingerprint: Buffer;
  /** The same of passwords from before changes. */
  oldFingerprints?: readonly Buffer[] | undefined;
  /** False while the plan is suspended. */
  open: boolean;
  /** Its account is suspended: it is not open, whatever is paid. */
  suspended?: boolean | undefined;
  /** Addresses of customers that may use it, besides knowing the password; none: all. */
  allowedClients: readonly string[];
  /** Where it listens and leaves from. */
  endpoints: readonly { address: string; port: number }[];
}

/** A sticky session begins, or lost its exit and goes on with another one. */
export interface SessionClaim {
  /** Plan, place and session number: nobody else's. */
  key: string;
  exitId: string;
  /** How often the session's number was used up before. */
  life: number;
  lifetimeMs: number;
  /** The exit that was lost; the session's end stays. */
  lost?: string | undefined;
}

/** The session as it is for every node: the first claim wins. */
export interface ClaimedSession {
  exitId: string;
  life: number;
  leftMs: number;
}

/** What a node is doing, for support. Counters since its start. */
export interface EdgeStatus {
  version: string;
  uptimeMs: number;
  endpoints: readonly string[];
  connections: number;
  tunnels: number;
  plans: number;
  sessions: number;
  upBytes: number;
  downBytes: number;
  ledgerFailures: number;
  /** Static addresses that are served here. */
  staticLines: number;
  /** Code -> how often it was answered. */
  refusals: Readonly<Record<string, number>>;
  exitCount: number;
  healthyExitCount: number;
  /** At most MAX_STATUS_EXITS: those that are out, then those that carry the most. */
  exits: readonly ExitStatus[];
  /** Ids of networks that somebody has logged in from since the report before. */
  networksUsed?: readonly string[] | undefined;
}

/** A node with thousands of exits reports every five seconds those that somebody may want to look at. */
export const MAX_STATUS_EXITS = 200;

export interface ExitStatus {
  id: string;
  kind: string;
  country: string;
  state?: string | undefined;
  city?: string | undefined;
  carrier?: string | undefined;
  products: readonly string[];
  healthy: boolean;
  connections: number;
  capacity?: number | undefined;
  /** Connections that were opened through it, and those that failed by its own fault. */
  opened: number;
  faults: number;
  /** What only the operator can mend: a seller refuses the account. */
  trouble?: string | undefined;
  /** Of a seller's gateway, those most asked for. */
  places?: readonly PlaceStatus[] | undefined;
}

/** At most so many of one gateway. */
export const MAX_STATUS_PLACES = 50;

/** How a seller serves one place. Counters since the node's start. */
export interface PlaceStatus {
  /** country/state/city as usernames carry them. */
  place: string;
  opened: number;
  faults: number;
  /** Times that the seller's exit stood elsewhere than it was asked for. */
  misplaced: number;
  out: boolean;
}

/** Usernames in one question; the platform takes no more. */
export const MAX_USERNAMES = 200;

export interface PlanChange {
  planId: string;
  epoch: number;
}

export interface FeedListener {
  /** Something about a plan changed: password, limit, status, allowance. */
  changed(change: PlanChange): void;
  /** Something about a static plan changed: addresses, password, who may use it, whether it goes on. Without an id it may be any. */
  staticChanged?(planId?: string): void;
  /** The sellers' gateways that the operator has set up are other ones now. */
  gatewaysChanged?(): void;
  /** The networks that are let in without a password are other ones now. */
  networksChanged?(): void;
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
  /** Of all static plans that have addresses, or of these; one that is not in the answer has none. Rejects when the platform is away. */
  staticPlans(ids?: readonly string[]): Promise<readonly StaticPlanFacts[]>;
  /** The sellers' gateways that the operator has set up. Rejects when the platform is away. Absent: the platform has none to give. */
  gateways?(): Promise<readonly GatewayDefinition[]>;
  /** Networks that are let in without a password. Rejects when the platform is away. Absent: there are none. */
  networks?(): Promise<readonly ClientNetwork[]>;
  /** In the order of the claims. Rejects when the platform is away. */
  claim(claims: readonly SessionClaim[]): Promise<readonly ClaimedSession[]>;
  /** Answers whether the node is to take no new connections. Rejects when the platform is away. */
  report(status: EdgeStatus): Promise<{ draining: boolean }>;
  /** Calls the listener until the returned function is called; comes back by itself after a break. */
  follow(listener: FeedListener): () => void;
}
