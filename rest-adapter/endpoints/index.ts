// The endpoints of the specification, in its order, and then the others. A new endpoint needs a file and a line here.
import type { AnyEndpoint } from '../endpoint.ts';
import { PROXY_USER_ENDPOINTS } from './change-proxy-users.ts';
import { WEBHOOK_CHANGES } from './change-webhooks.ts';
import { CLIENT_NETWORK_ENDPOINTS } from './client-networks.ts';
import { checkProxyLine } from './check-proxy-line.ts';
import { generateResidentialProxies } from './generate-residential-proxies.ts';
import { getProxyBatch } from './get-proxy-batch.ts';
import { getResidentialStatistics } from './get-residential-statistics.ts';
import { getResidentialUsage } from './get-residential-usage.ts';
import { getSubscriptions } from './get-subscriptions.ts';
import { getUsageBreakdown } from './get-usage-breakdown.ts';
import { listEvents } from './list-events.ts';
import { listProxyUsers } from './list-proxy-users.ts';
import { listResidentialLocations } from './list-residential-locations.ts';
import { listResidentialPlans } from './list-residential-plans.ts';
import { renewProxySession } from './renew-proxy-session.ts';
import { SERVER_ACTIONS } from './act-on-server.ts';
import { SERVER_CHANGES } from './change-server.ts';
import { SERVER_READS } from './list-servers.ts';
import { listStaticPlans } from './list-static-plans.ts';
import { listVpsLocations } from './list-vps-locations.ts';
import { STATIC_NETWORK_ENDPOINTS } from './static-networks.ts';
import { WEBHOOK_LISTS } from './list-webhooks.ts';
import { ORDER_ENDPOINTS } from './orders.ts';
import { REQUEST_LOG_ENDPOINTS } from './request-log.ts';
import { testProxyLine } from './test-proxy-line.ts';
import { testStaticLine } from './test-static-line.ts';
import { TOP_UP_ENDPOINTS } from './top-ups.ts';

export const ENDPOINTS: readonly AnyEndpoint[] = [
  listResidentialPlans,
  generateResidentialProxies,
  getResidentialUsage,
  getResidentialStatistics,
  listStaticPlans,
  getSubscriptions,
  listResidentialLocations,
  listEvents,
  getUsageBreakdown,
  getProxyBatch,
  checkProxyLine,
  testProxyLine,
  renewProxySession,
  listProxyUsers,
  ...PROXY_USER_ENDPOINTS,
  ...CLIENT_NETWORK_ENDPOINTS,
  testStaticLine,
  ...STATIC_NETWORK_ENDPOINTS,
  ...REQUEST_LOG_ENDPOINTS,
  ...TOP_UP_ENDPOINTS,
  listVpsLocations,
  ...ORDER_ENDPOINTS,
  ...WEBHOOK_LISTS,
  ...WEBHOOK_CHANGES,
  ...SERVER_READS,
  ...SERVER_CHANGES,
  ...SERVER_ACTIONS,
];
