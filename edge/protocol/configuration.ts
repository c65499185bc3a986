// The addresses in the lines that are sold, and whether this process serves them.
import { z } from 'zod';
import { type Config, configPart } from '#platform/config.ts';
import { flag, port } from '#platform/config-values.ts';

export const lineConfiguration = configPart({
  PROXY_HOST: [z.string().min(1).default('localhost'), 'host name in generated proxy lines'],
  PROXY_HTTP_PORT: [port.default(7777), 'HTTP port in generated proxy lines'],
  PROXY_SOCKS5_PORT: [port.default(7778), 'SOCKS5 port in generated proxy lines'],
  PROXY_HTTPS_PORT: [port.optional(), 'port in generated lines whose customers speak TLS to the proxy itself; without it there are none'],
  STATIC_HTTPS_PORT: [
    port.optional(),
    'port of every static address where customers speak TLS to the proxy itself, on nodes with a certificate',
  ],
  STATIC_HTTPS_HOST: [
    z
      .string()
      .regex(/^(?=.*\{address\})[a-z0-9.{}-]+$/, 'must be a host name with {address} in it')
      .optional(),
    'host of those lines, as the certificate names it, with {address} for the address with dashes; default: the address',
  ],
  EDGE: [flag.optional(), 'whether this process carries the traffic of proxy lines on those ports; default: in development'],
});

/** Whether this process runs a proxy node. In tests only on request: several platforms at once would compete for the ports. */
export const carriesTraffic = (config: Config): boolean => lineConfiguration.of(config).EDGE ?? config.NODE_ENV === 'development';

/** Whether the name means the customer's own machine. */
const isThisMachine = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\./.test(host);

/**
 * Warnings for the operator about the lines in production. `nodes`: how many proxy nodes are enrolled and not revoked; `testsAskHere`: tests of lines ask a page
 * of this machine, and this machine has exits.
 */
export function lineWarnings(config: Config, nodes: number, testsAskHere = false): string[] {
  if (config.NODE_ENV !== 'production') return [];
  const { PROXY_HOST } = lineConfiguration.of(config);
  return [
    ...(isThisMachine(PROXY_HOST)
      ? [`PROXY_HOST is ${PROXY_HOST}: the lines that are sold lead to the customer's own machine. Set the name of the proxy nodes.`]
      : []),
    ...(testsAskHere && carriesTraffic(config)
      ? [
          `Tests of lines ask ${config.PUBLIC_URL}/visitor, where the node of this machine leads nobody: set LINE_TEST_URL to a page elsewhere.`,
        ]
      : []),
    ...(carriesTraffic(config) || nodes > 0
      ? []
      : [
          'No proxy node carries the lines that are sold: enrol one (npm run --silent enrol-edge -- NAME), or set EDGE=true to carry them here.',
        ]),
  ];
}
