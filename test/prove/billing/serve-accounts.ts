// Accounts with the door for notices, in a process of its own that a proof kills: node test/prove/billing/serve-accounts.ts '<options as JSON>'. It says when it
// is loaded, begins when it is told how far after the present its clock stands (a line of milliseconds), and says when it is ready.
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
// Whoever is killed saves nothing at its end.
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
// Later than now: it looks at once for what the dead have left, and its minutes, in which it asks for what never arrived, are seconds.
if (aheadMs > 0) {
  await platform.queue.runNow('accounts.sweep');
  for (const sweeper of ['accounts.orders-reconcile', 'accounts.webhooks-sweep'])
    setInterval(() => void platform.queue.runNow(sweeper), SECOND);
}
process.stdout.write('ready\n');
