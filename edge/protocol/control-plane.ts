// Everything that a proxy node asks the platform for: which plan a username belongs to, leases of bandwidth, and notice of changes. A node has no database.
import type { ExitName, Origin } from './origin.ts';
import type { ClientNetwork, ListedNetwork } from './client-network.ts';
import type { GatewayDefinition } from './gateway.ts';
import type { PlaceQuality } from './place-quality.ts';
import type { ProductCode } from './product.ts';
import type { RequestBatch, RequestLogMode } from './request-log.ts';
import type { StaticPlanFacts } from './static-plan.ts';

/** ACTIVE: lines carry traffic. PAUSED: they are refused until 00:00 UTC. EXPIRED: they are refused for good. */
export const PLAN_STATUSES = ['ACTIVE', 'PAUSED', 'EXPIRED'] as const;
export type PlanStatus = (typeof PLAN_STATUSES)[number];

/** Limits on where a proxy user's lines lead and come from. A field that is absent sets no limit beyond the plan's. */
export interface LineRules {
  /** Country codes as usernames carry them; a line that names none of them is refused. */
  countries?: readonly string[] | undefined;
  /** The only targets allowed: host names, each with its subdomains, or addresses. */
  targets?: readonly string[] | undefined;
  /** The only client addresses or networks (CIDR) that may use the line. */
  clients?: readonly string[] | undefined;
}

/** The rules of a line as nodes are told of them. */
export interface ToldRules extends LineRules {
  /**
   * Those of `clients` that are entries of the plan's list, so that their use can be told. They let nobody in by themselves, and are not among `networks()`: to a
   * node of an earlier release, which ignores them, each entry there is a log-in without a password.
   */
  networks?: readonly ListedNetwork[] | undefined;
}

/** Why a proxy user is refused although the plan is not: its owner has paused it, or it has reached a limit of its own. */
export type UserStop = 'paused' | 'limit' | 'used_up';

/** A plan, or a proxy user of a plan, as nodes are told of it. They get a fingerprint of the password, never the password. */
export interface PlanFacts {
  /** For a proxy user, an id made of the plan's and the user's: see `subject.ts`. */
  planId: string;
  username: string;
  /** Reset Proxy Authentication raises it. Leases and passwords of an earlier epoch are void. */
  epoch: number;
  /** SHA-256 of the password. */
  fingerprint: Buffer;
  /** SHA-256 of the passwords before resets, latest first. Whoever still uses one is reported to the owner. */
  oldFingerprints: readonly Buffer[];
  product: ProductCode;
  /** Lifetimes that a sticky line of this product may ask for. */
  sessionMinutes: readonly number[];
  status: PlanStatus;
  /** The account is suspended: its lines carry nothing, whatever the status. */
  suspended?: boolean | undefined;
  /** For a paused plan, the seconds to 00:00 UTC; for a proxy user, to the end of the day or month that its limit counts. */
  retryAfterSeconds?: number | undefined;
  /** Of a proxy user, or of a plan whose lines need one of its networks. Nodes of earlier releases ignore what they do not know, and go by the status. */
  rules?: ToldRules | undefined;
  stop?: UserStop | undefined;
  /** What is to be told of single requests; absent: nothing. */
  requestLog?: Exclude<RequestLogMode, 'OFF'> | undefined;
  /**
   * How often its owner has asked for another address of a session; absent: never. A node that knows another number asks about each session again, by a
   * claim, before it uses it: the platform has ended the one that was meant.
   */
  sessionRenewals?: number | undefined;
}

/** Bytes that left by one exit and that the platform's ledger has not confirmed yet. */
export interface ExitShare extends ExitName {
  up: number;
  down: number;
}

/** Bytes counted for one origin under a lease so far. Both counters only grow. */
export interface LeasePart extends Origin {
  up: number;
  down: number;
  /** By which exits the unconfirmed bytes left. Absent from nodes of earlier releases. Billing goes by `up` and `down`. */
  exits?: readonly ExitShare[] | undefined;
}

/**
 * What was spent of a lease so far. Reports are cumulative, so that losing, repeating or delaying one changes nothing. The use of a lease is the sum of its
 * parts. `final`: nothing more will be spent under this lease.
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
  /** A connection waits for these bytes: the platform calls in leases of idle nodes. */
  starved: boolean;
}

/** Log-ins refused since the last exchange because they used a password from before a reset. */
export interface OldPasswordTries {
  planId: string;
  client: string;
  tries: number;
}

export interface SyncRequest {
  reports: readonly LeaseReport[];
  wants: readonly LeaseWant[];
  oldPasswords?: readonly OldPasswordTries[] | undefined;
  /** Milliseconds that this node goes on serving without the platform; its leases are valid for that long. Absent: the usual validity of a lease. */
  graceMs?: number | undefined;
}

/** The longest grace that a node may ask for, in milliseconds. */
export const MAX_GRACE_MS = 3_600_000;

export type GrantOutcome =
  | 'granted'
  /** Everything that is left is leased to other nodes at the moment: ask again. */
  | 'wait'
  | 'used_up'
  | 'daily_limit'
  /** The request was for an earlier epoch. */
  | 'revoked'
  /** The account is suspended. */
  | 'suspended'
  /** The proxy user is stopped: the three cases of `UserStop`. */
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
  /** The node counts it on its monotonic clock, from the moment at which it sent the request. */
  validMs: number;
}

export interface SyncAnswer {
  /** Leases of the report that may still be spent. */
  renewed: readonly { lease: string; validMs: number }[];
  grants: readonly LeaseGrant[];
}

/** A node's proposal of the exit for a sticky session that begins, or that has lost its exit. */
export interface SessionClaim {
  /** Plan, place, session number and turn: unique to the session. */
  key: string;
  exitId: string;
  /** Is taken instead when the last session with this key, or the session that this one follows, had `exitId`. Absent: there is no other exit. */
  spareId?: string | undefined;
  /** The key of the session that this one follows: the same number one turn before. */
  after?: string | undefined;
  /** How many sessions with this key have ended before. */
  life: number;
  lifetimeMs: number;
  /** The exit that was lost. The session still ends when it would have. */
  lost?: string | undefined;
}

/** The session as all nodes see it: of several claims the first one wins. */
export interface ClaimedSession {
  exitId: string;
  life: number;
  leftMs: number;
}

/** A node's report for staff. Counters start with the node. */
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
  /** Error code -> how often the node has answered with it. */
  refusals: Readonly<Record<string, number>>;
  exitCount: number;
  healthyExitCount: number;
  /** At most MAX_STATUS_EXITS: first gateways, then those that are out, then those with the most connections. */
  exits: readonly ExitStatus[];
  /** Ids of client networks that log-ins came from since the previous report. */
  networksUsed?: readonly string[] | undefined;
  /** The same of static plans; the platform's part that has those is told, not residential. */
  staticNetworksUsed?: readonly string[] | undefined;
  /** At most MAX_STATUS_PLACE_QUALITIES: how well lines were served within the last hour. Absent from nodes of earlier releases. */
  qualities?: readonly PlaceQuality[] | undefined;
}

/** Keeps the report, sent every five seconds, small for a node with thousands of exits. */
export const MAX_STATUS_EXITS = 200;

export interface ExitStatus {
  id: string;
  kind: string;
  /** The address that targets see, where the node knows it. */
  address?: string | undefined;
  country: string;
  state?: string | undefined;
  city?: string | undefined;
  carrier?: string | undefined;
  asn?: number | undefined;
  products: readonly string[];
  healthy: boolean;
  connections: number;
  capacity?: number | undefined;
  /** Connections opened through it, and connections that failed because of it. */
  opened: number;
  faults: number;
  /** A fault that only the operator can mend, for example a seller that refuses the log-in. */
  trouble?: string | undefined;
  /** For a seller's gateway: the places that are asked for most. */
  places?: readonly PlaceStatus[] | undefined;
}

/** Places reported per gateway. */
export const MAX_STATUS_PLACES = 50;

/** How well a seller's gateway serves one place. Counters start with the node. */
export interface PlaceStatus {
  /** country/state/city as usernames carry them. */
  place: string;
  opened: number;
  faults: number;
  /** How often the seller gave an exit in another place than the one asked for. */
  misplaced: number;
  out: boolean;
}

/** The most usernames that one request may name. */
export const MAX_USERNAMES = 200;

export interface PlanChange {
  planId: string;
  epoch: number;
}

export interface FeedListener {
  /** Something about a plan changed: password, limit, status, allowance. */
  changed(change: PlanChange): void;
  /** Something about a static plan changed: addresses, password, who may use it, whether it is open. Without an id: any plan may have. */
  staticChanged?(planId?: string): void;
  /** The operator has changed the sellers' gateways. */
  gatewaysChanged?(): void;
  /** The client networks that log in without a password have changed. */
  networksChanged?(): void;
  /** Called once a second while the feed is connected. */
  beat(): void;
  /** The feed was disconnected: changes may have been missed. */
  lost(): void;
}

export interface ControlPlane {
  /** The plan or proxy user with this username; undefined when there is none. Rejects when the platform does not answer. */
  plan(username: string): Promise<PlanFacts | undefined>;
  /** Rejects when the platform does not answer; the node then sends the same reports again. */
  sync(request: SyncRequest): Promise<SyncAnswer>;
  /**
   * All static plans that have addresses, or those with these ids. A plan that is not in the answer has no addresses. Rejects when the platform does not
   * answer.
   */
  staticPlans(ids?: readonly string[]): Promise<readonly StaticPlanFacts[]>;
  /** The sellers' gateways that the operator has set up. Rejects when the platform does not answer. Absent where there are no gateways. */
  gateways?(): Promise<readonly GatewayDefinition[]>;
  /** Client networks that log in without a password. Rejects when the platform does not answer. Absent where there are none. */
  networks?(): Promise<readonly ClientNetwork[]>;
  /** Tells of single requests of plans that keep a log. Rejects when the platform does not answer. Absent where nobody keeps one. */
  logRequests?(batch: RequestBatch): Promise<void>;
  /** The sessions in the order of the claims. Rejects when the platform does not answer. */
  claim(claims: readonly SessionClaim[]): Promise<readonly ClaimedSession[]>;
  /** `draining`: the node takes no new connections from now on. Rejects when the platform does not answer. */
  report(status: EdgeStatus): Promise<{ draining: boolean }>;
  /** Calls the listener until the returned function is called. Reconnects by itself. */
  follow(listener: FeedListener): () => void;
}
