// An external proxy network: carries the customers' traffic and reports it to the product.
import { Hono } from 'hono';
import { noDeliveryFaults } from '../sender.ts';
import { listen } from '../listener.ts';
import type { NodeBindings } from '../listener.ts';
import { notifierOf } from '../notifier.ts';
import type { Notifier, NotifierOptions } from '../notifier.ts';
import { pageHeaders, vendorLinks } from '../page.ts';
import type { VendorUrls } from '../page.ts';
import { openSnapshot } from '../snapshot.ts';
import { networkPage } from './page.ts';
import { Reporting } from './reporting.ts';
import type { NetworkFaults, NetworkState, ReportedTraffic } from './reporting.ts';
import { readTraffic, readTrafficForm } from './traffic.ts';

export interface ProxyNetwork extends Notifier {
  readonly faults: NetworkFaults;
  /** Reports traffic in one report, or in two when it is split. Resolves with the ids when the service has acknowledged all; rejects when one was dropped or given up. */
  report(traffic: ReportedTraffic | ReportedTraffic[]): Promise<string[]>;
}

export interface ProxyNetworkOptions extends NotifierOptions {
  usageSecret: string;
  reportUrl: () => string;
}

export async function startProxyNetwork(options: ProxyNetworkOptions): Promise<ProxyNetwork> {
  const snapshot = await openSnapshot<NetworkState>(options.dataDir, 'network', { recent: [], underWay: {} });
  const faults: NetworkFaults = { ...noDeliveryFaults(), split: 0 };
  const reporting = new Reporting({ ...options, faults, state: snapshot.state, changed: snapshot.changed });
  const site = networkSite(reporting, snapshot.state, options.vendors);
  const listener = await listen(site, options.host, options.port);
  return {
    ...notifierOf({ listener, sender: reporting.sender, snapshot }),
    faults,
    report: (traffic) => reporting.report(traffic),
  };
}

/** The routes with which a person or a test generates traffic. */
function networkSite(reporting: Reporting, state: NetworkState, vendors: () => VendorUrls): Hono<NodeBindings> {
  const app = new Hono<NodeBindings>();
  const show = (username: string, errors: string[] = []): ReturnType<typeof networkPage> =>
    networkPage({ errors, username, reports: state.recent, vendors: vendorLinks(vendors()) });
  app.get('/', async (c) => c.html(await show(c.req.query('username') ?? ''), 200, pageHeaders));
  app.post('/', async (c) => {
    const form = await c.req.formData();
    const read = readTrafficForm(form);
    if ('errors' in read) return c.html(await show(String(form.get('username') ?? ''), read.errors), 400, pageHeaders);
    reporting.sendOne(read.traffic);
    return c.redirect(`/?username=${encodeURIComponent(read.traffic.username)}`, 303);
  });
  app.post('/traffic', async (c) => {
    const read = readTraffic(await c.req.json().catch(() => null));
    return 'errors' in read ? c.json({ errors: read.errors }, 400) : c.json({ report_ids: reporting.sendOne(read.traffic) }, 202);
  });
  return app;
}
