// Where the lines of all sellers lead to, and whether this process carries them.
import { z } from 'zod';
import { type Config, configPart } from '#platform/config.ts';
import { flag, port } from '#platform/config-values.ts';

export const lineConfiguration = configPart({
  PROXY_HOST: [z.string().min(1).default('localhost'), 'host name in generated proxy lines'],
  PROXY_HTTP_PORT: [port.default(7777), 'HTTP port in generated proxy lines'],
  PROXY_SOCKS5_PORT: [port.default(7778), 'SOCKS5 port in generated proxy lines'],
  EDGE: [flag.optional(), 'whether this process carries the traffic of proxy lines on those ports; default: in development'],
});

/** Whether this process runs a proxy node. In tests only when asked for: several platforms at once would fight for the ports of the lines. */
export const carriesTraffic = (config: Config): boolean => lineConfiguration.of(config).EDGE ?? config.NODE_ENV === 'development';
