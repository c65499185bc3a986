// What customers are told of the node: its limits as they are configured, for the public page about proxies.
import { SECOND } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { FORBIDDEN_PORTS } from '#platform/public-address.ts';
import type { ProxyRules } from '../schema/proxy-rules.ts';
import { edgeConfiguration } from './configuration.ts';
import { EDGE_LIMITS } from './limits.ts';

/** Limits of nodes elsewhere are those of their own environment; an operator sets them alike. */
export function proxyRulesOf(config: Config): ProxyRules {
  const { EDGE_LIMITS: own, EDGE_RULES_FILE } = edgeConfiguration.of(config);
  const { idleMs, headMs, connectMs, keepAliveMs, leaseBytesMax, ...limits } = { ...EDGE_LIMITS, ...own };
  return {
    connectionsPerPlan: limits.connectionsPerPlan,
    idleSeconds: idleMs / SECOND,
    headSeconds: headMs / SECOND,
    headBytes: limits.headBytes,
    connectSeconds: connectMs / SECOND,
    keepAliveSeconds: keepAliveMs / SECOND,
    overUseBytes: 2 * leaseBytesMax,
    forbiddenPorts: EDGE_RULES_FILE === undefined ? [...FORBIDDEN_PORTS].toSorted((a, b) => a - b) : null,
  };
}
