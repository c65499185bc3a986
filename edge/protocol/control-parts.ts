// The platform's side of the protocol. The control plane has two parts, and each subgraph implements its own: residential knows nodes, residential
// plans, leases and sessions, static knows static plans. They stand together in one process, or each behind an address of its own.
import { SECOND } from '#platform/clock.ts';
import type {
  ClaimedSession,
  EdgeStatus,
  FeedListener,
  PlanChange,
  PlanFacts,
  SessionClaim,
  StaticPlanFacts,
  SyncAnswer,
  SyncRequest,
} from './control-plane.ts';
import type { ClientNetwork } from './client-network.ts';
import type { GatewayDefinition } from './gateway.ts';

/** `edgeId` names a node in the ledger. */
export interface PlansControl {
  /** The id of the node that has this key. Throws `edge_unknown`. */
  edgeOf(key: string): Promise<string>;
  /** In the order of the usernames; undefined where no plan has it. */
  plans(usernames: readonly string[]): Promise<readonly (PlanFacts | undefined)[]>;
  sync(edgeId: string, request: SyncRequest): Promise<SyncAnswer>;
  /** In the order of the claims. */
  claim(claims: readonly SessionClaim[]): Promise<readonly ClaimedSession[]>;
  /** Answers whether the node is to take no new connections. */
  report(edgeId: string, status: EdgeStatus): Promise<{ draining: boolean }>;
  /** With their log-ins. Absent: there are none to give. */
  gateways?(): Promise<readonly GatewayDefinition[]>;
  /** Calls when the gateways are other ones. Returns how to stop. */
  followGateways?(changed: () => void): Promise<() => void>;
  /** Networks that are let in without a password. Absent: there are none. */
  networks?(): Promise<readonly ClientNetwork[]>;
  /** Calls when they are other ones. Returns how to stop. */
  followNetworks?(changed: () => void): Promise<() => void>;
  /** Calls with every committed change of a plan, with nothing when some may have been missed. Returns how to stop. */
  follow(changed: (change?: PlanChange) => void): Promise<() => void>;
}

export interface StaticPlansControl {
  /** Of all static plans that have addresses, or of these. */
  staticPlans(ids?: readonly string[]): Promise<readonly StaticPlanFacts[]>;
  /** Calls with the id of every plan whose lines may have changed, with nothing when some may have been missed. Returns how to stop. */
  follow(changed: (planId?: string) => void): Promise<() => void>;
}

/** The triggers of migration 0028 notify of a static plan's id here when its lines have changed. */
export const STATIC_LINES_CHANNEL = 'egress_static_lines';

/** What of the control plane stands in a process. */
export interface ControlParts {
  plans?: PlansControl | undefined;
  staticPlans?: StaticPlansControl | undefined;
}

const BEAT_MS = SECOND;

/** Calls the listener with the news of the parts that there are, and a beat a second. Returns how to stop. */
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
