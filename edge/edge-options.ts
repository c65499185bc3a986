// What a node is started with.
import type { networkInterfaces } from 'node:os';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { Attempts } from './attempts.ts';
import type { CertificateFiles } from './certificate.ts';
import type { ConnectionCounter } from './connection-counter.ts';
import type { Dialler } from './dial.ts';
import type { ExitDefinition } from './exit.ts';
import type { EdgeLimits } from './limits.ts';
import type { ControlPlane } from './protocol/control-plane.ts';
import type { Resolver } from './resolver.ts';
import type { Endpoint, TargetPolicy } from './target-guard.ts';

export interface SecureOptions extends CertificateFiles {
  listen: readonly Endpoint[];
  /** The certificate is ordered by this node: the files may come later, and handshakes fail until then. */
  ordered?: boolean | undefined;
}

export interface EdgeOptions {
  controlPlane: ControlPlane;
  exits: readonly ExitDefinition[];
  /** The file that `exits` were read from. */
  exitsFile?: string | undefined;
  /** `exits` are the demo's: they are dropped as soon as the platform has a gateway. */
  standIns?: boolean;
  /** Interval between checks of the file, and between checks of where sellers' exits really are. */
  exitsLookMs?: number;
  placeCheckMs?: number;
  /** Where to listen; port 0 takes a free one. Each port takes HTTP and SOCKS5. */
  listen: readonly Endpoint[];
  log: Log;
  /** One per process, kept across restarts; undefined when the ledger runs in the same process. */
  journalFile?: string | undefined;
  /** Sticky sessions, kept across restarts; one per process. */
  sessionsFile?: string | undefined;
  /** The demo's target site: the only endpoint outside the public internet that lines may reach. */
  demoTarget?: Endpoint | undefined;
  /** Refuses to start with a demo target. */
  production?: boolean;
  /** The operator's rules on targets. */
  policy?: TargetPolicy | undefined;
  /** Files and URLs of targets that no line may reach, and where answers of URLs are kept. */
  blocklists?: readonly string[] | undefined;
  blocklistFolder?: string | undefined;
  /** The certificate of TLS to the proxy itself, and the ports of generated lines for it: HTTP or SOCKS5 follows. Static addresses have their own. */
  secure?: SecureOptions | undefined;
  /** Other workers of this node listen on the same ports. */
  reusePort?: boolean;
  /** Counts connections of plans and addresses over all workers of this node. */
  counter?: ConnectionCounter;
  /** Interval between batches of the request log. */
  requestsEveryMs?: number;
  version?: string;
  limits?: Partial<EdgeLimits>;
  /** Replaced in tests that need other addresses of the machine. */
  networkInterfaces?: typeof networkInterfaces;
  /** Replaced in tests that must not use the network. */
  resolver?: Resolver;
  dial?: Dialler;
  attempts?: Attempts;
  monotonic?: () => number;
  /** For the lifetimes of sessions across a restart. */
  clock?: Clock;
}
