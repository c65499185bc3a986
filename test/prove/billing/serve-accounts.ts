// Accounts with its webhook endpoint in a child process that a proof kills: node test/prove/billing/serve-accounts.ts '<options as JSON>'. It reports when it
// is loaded, waits for a line with the milliseconds that its clock is ahead, starts, and reports when it is ready.
import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import { SECOND, after, systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { openPlatform } from '#platform/platform.ts';
import { startSubgraph } from '#platform/subgraph.ts';
import { askerOf } from '#platform/ask.ts';
import { readConfig } from '../../../configuration.ts';
import { type GivenVendors, givenVendors } from '../../kit/nowhere.ts';
import { createFront } from '../../../gateway/http/front.ts';
import { inProcessSource } from '../../../gateway/graph/sources/in-process.ts';
import { createWebhookRoute } from '../../../subgraphs/accounts/billing/inbox/doors/webhooks.ts';
import { signatureHeadersOf } from '../../../subgraphs/accounts/billing/payments/providers/payment-methods.ts';
import { accounts } from '../../../subgraphs/accounts/subgraph.ts';

const { databaseUrl, vendors, port, environment } = JSON.parse(process.argv[2] ?? '{}') as {
  databaseUrl: string;
  vendors: GivenVendors;
  port: number;
  environment: Record<string, string>;
};
// A killed process would not save its compile cache.
flushCompileCache();
process.stdout.write('loaded\n');
const aheadMs = Number(String((await once(process.stdin, 'data'))[0]));
const log = createLog('silent');
const clock = { now: () => after(systemClock.now(), aheadMs) };
const platform = await openPlatform(readConfig(environment), databaseUrl, givenVendors(vendors), { clock, log });
const subgraph = await startSubgraph(platform, accounts);
const front = createFront({
  port,
  host: '127.0.0.1',
  routes: [createWebhookRoute({ ask: askerOf(inProcessSource(subgraph, log)), signatureHeadersOf })],
  upgrades: [],
  clock,
  log,
  metrics: platform.metrics,
});
await front.listen();
// With a clock ahead, it takes over the claims of dead processes at once, and its jobs that run every minute run every second.
if (aheadMs > 0) {
  await platform.queue.runNow('accounts.sweep');
  for (const sweeper of ['accounts.orders-reconcile', 'accounts.webhooks-sweep'])
    setInterval(() => void platform.queue.runNow(sweeper), SECOND);
}
process.stdout.write('ready\n');
