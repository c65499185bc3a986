// The proxy node inside the platform's own process: `npm start` carries traffic without anything else being set up.
import { join } from 'node:path';
import type { Log } from '#platform/log.ts';
import { type LocalParts, localControlPlane } from './edge/local-control-plane.ts';
import { demoExits } from './edge/demo-exits.ts';
import { type Edge, startEdge } from './edge/edge.ts';
import { readExits } from './edge/exits-file.ts';
import { readRules } from './edge/rules-file.ts';
import type { Endpoint } from './edge/target-guard.ts';
import { enrolOwnEdge } from './subgraphs/residential/leases/services/edges.ts';
import type { Context } from './subgraphs/residential/providers.ts';

export interface OwnEdgeOptions {
  /** The parts of the control plane in this process. */
  control: LocalParts;
  /** Residential's, as its own part: the node is enrolled there, without a key. */
  context: () => Context;
  log: Log;
  host: string;
  /** HTTP and SOCKS5 ports of generated lines; 0 takes free ones. Each port takes both protocols. */
  ports: readonly [http: number, socks5: number];
  dataDir: string;
  /** The operator's exits; without it loopback plays all places. */
  exitsFile?: string | undefined;
  /** The sandbox's target site: the only target on this machine that lines may reach. */
  demoTarget?: Endpoint | undefined;
  production: boolean;
  /** The operator's own rules on targets. */
  rulesFile?: string | undefined;
  /** The operator's own addresses and networks that no line may reach, beside those of the rules. */
  forbiddenNetworks?: readonly string[] | undefined;
}

const ID = 'local';

/** Rejects when a port is taken. */
export async function startOwnEdge({
  control,
  context,
  log,
  host,
  ports,
  dataDir,
  exitsFile,
  demoTarget,
  production,
  rulesFile,
  forbiddenNetworks = [],
}: OwnEdgeOptions): Promise<Edge> {
  const rules = rulesFile === undefined ? {} : readRules(rulesFile);
  await enrolOwnEdge(context(), ID);
  return startEdge({
    controlPlane: localControlPlane(control, ID),
    exits: exitsFile === undefined ? demoExits() : readExits(exitsFile),
    listen: ports.map((port) => ({ address: host === 'localhost' ? '127.0.0.1' : host, port })),
    log,
    journalFile: join(dataDir, 'edge', 'journal'),
    sessionsFile: join(dataDir, 'edge', 'sessions'),
    demoTarget,
    production,
    policy: { ...rules, forbiddenNetworks: [...(rules.forbiddenNetworks ?? []), ...forbiddenNetworks] },
  });
}
