// What a subgraph gives to the gateway beside the graph: paths on the public port that belong to it. Their code runs in the gateway's process and asks the
// subgraph over the graph, so it works wherever the subgraph runs.
import type { IncomingMessage } from 'node:http';
import type { Ask } from './ask.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { SessionViewer } from './identity.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Call, Route, UpgradeRoute } from './route.ts';
import type { TeamPermission } from './team-permissions.ts';
import type { Vendors } from './vendors.ts';

export interface Doors {
  routes?: readonly Route[];
  upgrades?: readonly UpgradeRoute[];
}

/** Called once per gateway. Throws a StartFailure when the configuration is not usable. */
export type OpenDoors = (parts: DoorParts) => Doors;

/** What the gateway gives to a subgraph's paths. */
export interface DoorParts {
  /** Asks the subgraph that the paths belong to. */
  ask: Ask;
  /**
   * The current session of the page that sent a request. `permission`: what a member of a team needs there; true: nobody but the account's own person may. A
   * connection that stays open may ask again. Throws session_invalid, team_role_missing.
   */
  session(request: IncomingMessage, call: Call, permission: true | TeamPermission): Promise<SessionViewer>;
  /** Calls back when keys or sessions may have changed; returns a function that stops it. */
  onAccessChange(listener: () => void): () => void;
  /** Throws origin_forbidden for a request from a page of another site. */
  checkOrigin(request: IncomingMessage): void;
  config: Config;
  vendors: Vendors;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}
