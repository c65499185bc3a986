// The platform's side of the protocol. It has two parts, each implemented by its subgraph: residential has nodes, residential plans, leases and sessions,
// static has static plans. Both run in one process, or each has its own address.
import { SECOND } from '#platform/clock.ts';
import type {
  ClaimedSession,
  EdgeStatus,
  FeedListener,
  PlanChange,
  PlanFacts,
  SessionClaim,
  SyncAnswer,
  SyncRequest,
} from './control-plane.ts';
import type { ClientNetwork } from './client-network.ts';
import type { GatewayDefinition } from './gateway.ts';
import type { RequestBatch } from './request-log.ts';
import type { StaticPlanFacts } from './static-plan.ts';

/** `edgeId`: the id of a node. */
export interface PlansControl {
  /** The id of the node with this key. Throws `edge_unknown`. */
  edgeOf(key: string): Promise<string>;
  /** In the order of the usernames; undefined for those without a plan. */
  plans(usernames: readonly string[]): Promise<readonly (PlanFacts | undefined)[]>;
  sync(edgeId: string, request: SyncRequest): Promise<SyncAnswer>;
  /** In the order of the claims. */
  claim(claims: readonly SessionClaim[]): Promise<readonly ClaimedSession[]>;
  /** `draining`: the node is to take no new connections. */
  report(edgeId: string, status: EdgeStatus): Promise<{ draining: boolean }>;
  /** Writes down single requests of plans that keep a log; a batch counts once. Absent: nobody keeps one. */
  logRequests?(edgeId: string, batch: RequestBatch): Promise<void>;
  /** Includes their log-ins. Absent: there are none. */
  gateways?(): Promise<readonly GatewayDefinition[]>;
  /** Calls when the gateways have changed. Returns a function that stops it. */
  followGateways?(changed: () => void): Promise<() => void>;
  /** Client networks that log in without a password. Absent: there are none. */
  networks?(): Promise<readonly ClientNetwork[]>;
  /** Calls when the networks have changed. Returns a function that stops it. */
  followNetworks?(changed: () => void): Promise<() => void>;
  /** Calls with every committed change of a plan, without an argument when changes may have been missed. Returns a function that stops it. */
  follow(changed: (change?: PlanChange) => void): Promise<() => void>;
}

export interface StaticPlansControl {
  /** All static plans that have addresses, or those with these ids. */
  staticPlans(ids?: readonly string[]): Promise<readonly StaticPlanFacts[]>;
  /** Notes that somebody has just come from these networks. Absent: nobody is told. */
  networksUsed?(ids: readonly string[]): Promise<void>;
  /** Calls with the id of each plan whose lines may have changed, without one when changes may have been missed. Returns a function that stops it. */
  follow(changed: (planId?: string) => void): Promise<() => void>;
}

/** The channel on which the triggers of migration 0028 notify of static plans whose lines have changed. */
export const STATIC_LINES_CHANNEL = 'egress_static_lines';

/** The parts of the control plane in this process. */
export interface ControlParts {
  plans?: PlansControl | undefined;
  staticPlans?: StaticPlansControl | undefined;
}

const BEAT_MS = SECOND;

/** Passes the changes of these parts to the listener, and a beat every second. Returns a function that stops it. */
export async function followParts({ plans, staticPlans }: ControlParts, listener: FeedListener): Promise<() => void> {
  const stops: (() => void)[] = [];
  const stop = () => {
    for (const end of stops) end();
  };
  try {
    if (staticPlans) stops.push(await staticPlans.follow((planId) => listener.staticChanged?.(planId)));
    if (plans?.followGateways) stops.push(await plans.followGateways(() => listener.gatewaysChanged?.()));
    if (plans?.followNetworks) stops.push(await plans.followNetworks(() => listener.networksChanged?.()));
    if (plans)
      stops.push(
        await plans.follow((change) => {
          if (change) listener.changed(change);
          else {
            listener.lost();
            listener.beat();
          }
        }),
      );
  } catch (error) {
    stop();
    throw error;
  }
  const beats = setInterval(() => listener.beat(), BEAT_MS);
  stops.push(() => clearInterval(beats));
  listener.beat();
  return stop;
}
