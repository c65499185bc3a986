// What a node tells whoever watches it.
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
}

/** Whether a node may be sent customers. */
export interface EdgeStanding {
  /** The platform tells it what changes. */
  feed: boolean;
  /** The same, or not for so long that it would not go on without. */
  platform: boolean;
  /** It takes new connections. */
  listening: boolean;
}
