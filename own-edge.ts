// The proxy node in the platform's own process: with it `npm start` carries traffic without further set-up.
import { join } from 'node:path';
import type { Config } from '#platform/config.ts';
import type { Log } from '#platform/log.ts';
import type { Platform } from '#platform/platform.ts';
import { SANDBOX_PORTS } from '#platform/sandbox-terms.ts';
import { type LocalParts, localControlPlane } from './edge/local-control-plane.ts';
import { edgeConfiguration } from './edge/configuration.ts';
import { demoExits } from './edge/demo-exits.ts';
import { type CertificateFiles, endOfCertificate } from './edge/certificate.ts';
import { certificateFiles, orderCertificate } from './edge/node-certificate.ts';
import { type Edge, startEdge } from './edge/edge.ts';
import type { EdgeOptions } from './edge/edge-options.ts';
import { registerEdgeMetrics } from './edge/edge-metrics.ts';
import { readExits } from './edge/exits-file.ts';
import { lineConfiguration } from './edge/protocol/configuration.ts';
import { readRules } from './edge/rules-file.ts';
import type { Endpoint } from './edge/target-guard.ts';
import { enrolOwnEdge } from './subgraphs/residential/edges/services/edges.ts';
import type { Context } from './subgraphs/residential/providers.ts';

export interface OwnEdgeOptions {
  /** The control plane's parts in this process. */
  control: LocalParts;
  /** A context of residential, where the node is enrolled without a key. */
  context: () => Context;
  log: Log;
  host: string;
  /** The HTTP and SOCKS5 ports in generated lines; 0 takes any free port. Each port accepts both protocols. */
  ports: readonly [http: number, socks5: number];
  dataDir: string;
  /**
   * The operator's exits. Without this file loopback stands in for all places until a seller's gateway is set up at the desk; in production there is no
   * stand-in.
   */
  exitsFile?: string | undefined;
  /** The sandbox's site: the only target on this machine that lines may reach. */
  demoTarget?: Endpoint | undefined;
  production: boolean;
  /** The operator's own rules on targets. */
  rulesFile?: string | undefined;
  /** The operator's own addresses and networks that no line may reach, besides those in the rules. */
  forbiddenNetworks?: readonly string[] | undefined;
  /** Files and URLs of targets that no line may reach. */
  blocklists?: readonly string[] | undefined;
  /** The operator's own limits on customers. */
  limits?: EdgeOptions['limits'];
  /** The certificate of TLS to the proxy itself, and the port of generated lines for it; undefined: only static addresses have one. */
  secure?: (CertificateFiles & { port: number | undefined; ordered?: boolean }) | undefined;
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
  blocklists,
  limits = {},
  secure,
}: OwnEdgeOptions): Promise<Edge> {
  const rules = rulesFile === undefined ? {} : readRules(rulesFile);
  const address = host === 'localhost' ? '127.0.0.1' : host;
  await enrolOwnEdge(context(), ID);
  return startEdge({
    controlPlane: localControlPlane(control, ID),
    exits: exitsFile !== undefined ? readExits(exitsFile) : production ? [] : demoExits(),
    exitsFile,
    standIns: exitsFile === undefined,
    listen: ports.map((port) => ({ address, port })),
    secure: secure && { ...secure, listen: secure.port === undefined ? [] : [{ address, port: secure.port }] },
    log,
    journalFile: join(dataDir, 'edge', 'journal'),
    sessionsFile: join(dataDir, 'edge', 'sessions'),
    demoTarget,
    production,
    blocklists,
    blocklistFolder: join(dataDir, 'edge', 'blocklists'),
    limits,
    policy: { ...rules, forbiddenNetworks: [...(rules.forbiddenNetworks ?? []), ...forbiddenNetworks] },
  });
}

/**
 * Starts the node on the ports of the lines and, in a sandbox, a site to reach through it. When a port is taken the rest of the platform still runs; the start
 * page says so.
 */
export async function carryTraffic(
  config: Config,
  platform: Platform,
  parts: Pick<OwnEdgeOptions, 'control' | 'context'>,
  sandboxed: boolean,
  opened: AsyncDisposableStack,
) {
  const lines = lineConfiguration.of(config);
  const own = edgeConfiguration.of(config);
  const certificate = certificateFiles(own, config.DATA_DIR);
  const secure = certificate && { ...certificate, port: lines.PROXY_HTTPS_PORT };
  let site: { url: string; endpoint: Endpoint } | undefined;
  if (sandboxed) {
    const { startTargetSite } = await import('./sandbox/site/target-site.ts');
    const started = await startTargetSite({ port: config.SANDBOX_PORT === 0 ? 0 : config.SANDBOX_PORT + SANDBOX_PORTS.site });
    opened.defer(started.close);
    site = started;
  }
  let edge: Edge | undefined;
  try {
    const running = await startOwnEdge({
      ...parts,
      log: platform.log,
      host: config.HOST,
      ports: [lines.PROXY_HTTP_PORT, lines.PROXY_SOCKS5_PORT],
      dataDir: config.DATA_DIR,
      exitsFile: own.EDGE_EXITS_FILE,
      demoTarget: site?.endpoint,
      production: config.NODE_ENV === 'production',
      rulesFile: own.EDGE_RULES_FILE,
      forbiddenNetworks: own.EDGE_FORBIDDEN_NETWORKS,
      blocklists: own.EDGE_BLOCKLISTS,
      limits: own.EDGE_LIMITS ?? {},
      secure,
    });
    edge = running;
    opened.defer(() => running.close());
    const keeper = await orderCertificate(own, config.DATA_DIR, { user: running, clock: platform.clock, log: platform.log });
    if (keeper) opened.defer(() => keeper.close());
    const ofFile = secure && (() => ({ ends: endOfCertificate(secure.certFile) }));
    registerEdgeMetrics(platform.metrics.registry, running, keeper ? () => keeper.figures() : ofFile);
    const securePort = lines.PROXY_HTTPS_PORT ?? lines.STATIC_HTTPS_PORT;
    if (securePort !== undefined && !secure)
      platform.log.warn(
        { port: securePort },
        'no traffic of HTTPS proxies is carried here: neither EDGE_TLS_CERT_FILE and EDGE_TLS_KEY_FILE nor EDGE_ACME_NAMES is set',
      );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    platform.log.warn(
      { ports: [lines.PROXY_HTTP_PORT, lines.PROXY_SOCKS5_PORT] },
      'no traffic is carried: a port of the proxy lines is taken',
    );
  }
  return { edge, siteUrl: site?.url };
}
