// Accounts with the door for notices, in a process of its own that a proof kills: node test/prove/billing/serve-accounts.ts '<options as JSON>'.
import { after, systemClock } from '#shared/clock.ts';
import { readConfig } from '#shared/config.ts';
import { createLog } from '#shared/log.ts';
import { openPlatform } from '#shared/platform.ts';
import { startSubgraph } from '#shared/subgraph.ts';
import type { Vendors } from '#shared/vendors.ts';
import { createFront } from '../../../gateway/front.ts';
import { inProcessSource } from '../../../gateway/sources/in-process.ts';
import { createWebhookRoute } from '../../../gateway/webhooks.ts';
import { accounts } from '../../../subgraphs/accounts/subgraph.ts';

/** `aheadMs`: so far after the present does its clock stand. It then looks at once for what a dead process has left. */
const {
  databaseUrl,
  vendors,
  port,
  environment,
  aheadMs = 0,
} = JSON.parse(process.argv[2] ?? '{}') as {
  databaseUrl: string;
  vendors: Vendors;
  port: number;
  environment: Record<string, string>;
  aheadMs?: number;
};
const log = createLog('silent');
const clock = { now: () => after(systemClock.now(), aheadMs) };
const platform = await openPlatform(readConfig(environment), databaseUrl, vendors, { clock, log });
const subgraph = await startSubgraph(platform, accounts);
const front = createFront({
  port,
  host: '127.0.0.1',
  routes: [createWebhookRoute(inProcessSource(subgraph, log))],
  upgrades: [],
  clock,
  log,
  metrics: platform.metrics,
  shedAtDelayMs: Number.POSITIVE_INFINITY,
});
await front.listen();
if (aheadMs > 0) await platform.queue.runNow('accounts.sweep');
process.stdout.write('ready\n');
