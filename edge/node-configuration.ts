// Configuration of a proxy node in its own process. It has neither a database nor the platform's secret.
import { z } from 'zod';
import { type ValuesOf, type Variables, readVariables } from '#platform/config.ts';
import { count, endpoints, port } from '#platform/config-values.ts';
import { TRACING_VARIABLES } from '#platform/tracing-configuration.ts';
import { ACME_VARIABLES, acmeContradictions } from './acme/acme-setting.ts';
import { MAX_GRACE_MS } from './protocol/control-plane.ts';
import { LIMITS_MEANING, limitsSetting } from './limits-setting.ts';
import { BLOCKLISTS_MEANING, blocklists, network } from './rules-file.ts';

export const NODE_VARIABLES = {
  PLATFORM_URL: [z.url(), 'the public address of the platform, or residential itself where that runs in a process of its own; must be set'],
  PLATFORM_STATIC_URL: [z.url().optional(), 'where static answers, if PLATFORM_URL is residential itself'],
  EDGE_KEY: [z.string().min(20), 'what `npm run --silent enrol-edge` has printed; must be set'],
  EDGE_LISTEN: [endpoints.prefault('0.0.0.0:7777,0.0.0.0:7778'), 'address:port pairs; every port takes HTTP and SOCKS5'],
  EDGE_EXITS_FILE: [
    z.string().optional(),
    "JSON file with the addresses that traffic leaves from, read again when it changes; without it the sellers' gateways of the desk alone",
  ],
  EDGE_TLS_LISTEN: [endpoints.optional(), 'address:port pairs where customers speak TLS to the proxy itself'],
  EDGE_TLS_CERT_FILE: [
    z.string().optional(),
    'PEM file of the certificate of TLS to the proxy itself, also at static addresses, with the chain; read again when it changes',
  ],
  EDGE_TLS_KEY_FILE: [z.string().optional(), "PEM file of that certificate's key"],
  ...ACME_VARIABLES,
  EDGE_RULES_FILE: [z.string().optional(), 'JSON file with own rules on targets: networks, ports, names, by product'],
  EDGE_FORBIDDEN_NETWORKS: [
    z
      .string()
      .transform((text) => text.split(','))
      .pipe(z.array(network))
      .optional(),
    "the operator's own networks that no line may reach, separated by commas",
  ],
  EDGE_BLOCKLISTS: [blocklists.optional(), BLOCKLISTS_MEANING],
  EDGE_LIMITS: [limitsSetting.optional(), LIMITS_MEANING],
  EDGE_WORKERS: [z.coerce.number().int().min(1).max(64).default(1), 'threads that carry traffic, one per core at most'],
  HEALTH_PORT: [port.optional(), '/health and /metrics from a thread of their own; default: nine above the first port of EDGE_LISTEN'],
  HEALTH_HOST: [z.string().min(1).default('127.0.0.1'), 'the address of HEALTH_PORT: never one that customers reach'],
  STOP_DELAY_MS: [count(0).default(0), 'how long a node that was told to stop goes on answering after it says so on /health/ready'],
  EDGE_GRACE_MS: [
    count(0).max(MAX_GRACE_MS, `must be ${MAX_GRACE_MS} at most`).default(0),
    'how long known plans go on while the platform is away, and so how late a revocation may reach this node then',
  ],
  EDGE_METRICS: [endpoints.optional(), 'address:port of /metrics'],
  EDGE_DRAIN_MINUTES: [z.coerce.number().min(0).default(1), 'how long what is open may go on when the node is asked to stop'],
  DATA_DIR: [z.string().default('.data'), 'its journal of what is not yet reported, and sticky sessions'],
  LOG_LEVEL: [z.string().default('info'), 'how much is logged, as JSON lines on standard error'],
  NODE_ENV: [z.enum(['development', 'test', 'production']).default('development'), 'production: no target of a demo is let through'],
  ...TRACING_VARIABLES,
} as const satisfies Variables;

export type NodeSettings = ValuesOf<typeof NODE_VARIABLES>;

/** Throws a StartFailure with one sentence per wrong value. */
export const readNodeSettings = (environment: Record<string, string | undefined>): NodeSettings =>
  readVariables(NODE_VARIABLES, environment, (values) => {
    const { EDGE_TLS_LISTEN, EDGE_TLS_CERT_FILE, EDGE_TLS_KEY_FILE, EDGE_ACME_NAMES } = values;
    return [
      ...acmeContradictions(values),
      ...(EDGE_TLS_LISTEN && !EDGE_ACME_NAMES && !(EDGE_TLS_CERT_FILE && EDGE_TLS_KEY_FILE)
        ? ['EDGE_TLS_LISTEN needs EDGE_TLS_CERT_FILE and EDGE_TLS_KEY_FILE, or EDGE_ACME_NAMES.']
        : []),
    ];
  });
