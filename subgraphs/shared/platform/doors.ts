// What a subgraph hands to the gateway beside the graph: paths on the public port that belong to its nouns. Their code runs in the gateway's process and asks the
// subgraph over the graph, so that it works alike wherever the subgraph runs.
import type { IncomingMessage } from 'node:http';
import type { Ask } from './ask.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { SessionViewer } from './identity.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Call, Route, UpgradeRoute } from './route.ts';
import type { Vendors } from './vendors.ts';

export interface Doors {
  routes?: readonly Route[];
  upgrades?: readonly UpgradeRoute[];
}

/** Made once per gateway. Throws a StartFailure where the configuration is not usable. */
export type OpenDoors = (parts: DoorParts) => Doors;

/** What a door is given by the gateway. */
export interface DoorParts {
  /** Asks the subgraph whose door it is. */
  ask: Ask;
  /** The session of the page that sent a request, as it is now: for connections that stay open it may be asked again. Throws session_invalid. */
  session(request: IncomingMessage, call: Call): Promise<SessionViewer>;
  /** Calls back whenever keys or sessions may mean something else; returns how to stop. */
  onAccessChange(listener: () => void): () => void;
  /** Throws origin_forbidden for a request that another site's page made. */
  checkOrigin(request: IncomingMessage): void;
  config: Config;
  vendors: Vendors;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}
