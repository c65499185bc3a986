// The figures of a node, for metrics and health checks.
export interface EdgeFigures {
  upBytes: number;
  downBytes: number;
  staticLines: number;
  connections: number;
  plans: number;
  tunnels: number;
  sessions: number;
  exits: number;
  healthyExits: number;
  exchanges: number;
  failedExchanges: number;
  listedTargets: number;
  listedRefusals: number;
  blocklistFailures: number;
}

/** What decides whether a node is ready for customers. */
export interface EdgeStanding {
  /** The feed of changes from the platform is alive. */
  feed: boolean;
  /** The feed is alive, or was within the node's grace, during which known plans go on without the platform. */
  platform: boolean;
  /** It accepts new connections. */
  listening: boolean;
}
