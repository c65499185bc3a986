// A foreign proxy network: carries the customers' traffic elsewhere and reports it, each report under an id of its own that stays
// the same however often it is sent.
import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import type { Clock } from '#platform/clock.ts';
import { SANDBOX_NETWORK } from '../terms.ts';
import { createCourier, noDeliveryFaults } from '../courier.ts';
import type { Attempt, DeliveryFaults, Parcel, Retry } from '../courier.ts';
import type { Dice } from '../dice.ts';
import { listen } from '../listener.ts';
import type { NodeBindings } from '../listener.ts';
import { pageHeaders, vendorLinks } from '../page.ts';
import type { VendorUrls } from '../page.ts';
import { openSnapshot } from '../snapshot.ts';
import { networkPage } from './page.ts';
import type { SentReport } from './page.ts';
import { signReport } from './report.ts';
import type { UsageLine, UsageReport } from './report.ts';
import { readTraffic, readTrafficForm } from './traffic.ts';
import type { Traffic } from './traffic.ts';

export interface NetworkFaults extends DeliveryFaults {
  /** How often a report's traffic is told in two reports, as a ratio, 0 to 1. The sum stays the same. */
  split: number;
}

export interface ReportedTraffic {
  username: string;
  upBytes: number;
  downBytes: number;
  country?: string;
  host?: string;
  session?: string;
  client?: string;
  /** When it flowed; now by default. */
  at?: Date;
}

export interface ProxyNetwork {
  readonly url: string;
  readonly faults: NetworkFaults;
  /**
   * Reports traffic, all of it in one report unless it is split. Resolves with the ids when the service has acknowledged all;
   * rejects when one was dropped or given up.
   */
  report(traffic: ReportedTraffic | ReportedTraffic[]): Promise<string[]>;
  /** Ends every wait and resolves when no report is under way. */
  deliver(): Promise<void>;
  /** Resolves when no report is under way. */
  idle(): Promise<void>;
  /** Every attempt to deliver a report in this run. */
  attempts(): readonly Attempt[];
  close(): Promise<void>;
}

export interface ProxyNetworkOptions {
  host: string;
  port: number;
  dataDir: string | undefined;
  clock: Clock;
  dice: Dice;
  retry: Retry;
  usageSecret: string;
  reportUrl: () => string;
  vendors: () => VendorUrls;
}

interface NetworkState {
  /** The last reports, newest first, for the page. */
  recent: SentReport[];
  underWay: Record<string, Parcel>;
}

const RECENT = 50;

export async function startProxyNetwork(options: ProxyNetworkOptions): Promise<ProxyNetwork> {
  const { clock, dice } = options;
  const snapshot = await openSnapshot<NetworkState>(options.dataDir, 'network', { recent: [], underWay: {} });
  const { state } = snapshot;
  const faults: NetworkFaults = { ...noDeliveryFaults(), split: 0 };
  const courier = createCourier({
    clock,
    dice,
    faults,
    retry: options.retry,
    address: options.reportUrl,
    underWay: state.underWay,
    changed: snapshot.changed,
    sign: (body, forged) => ({
      'egress-signature': signReport(body, forged ? 'forged' : options.usageSecret, Math.floor(clock.now().getTime() / 1000)),
    }),
    onAcknowledged(id) {
      const sent = state.recent.find((report) => report.id === id);
      if (sent) sent.acknowledged = true;
    },
  });

  /** Sends the lines as one report, or as two under ids of their own; gives the ids and the promise of their arrival. */
  function send(lines: UsageLine[]): { ids: string[]; arrived: Promise<void> } {
    const reports = (dice.toss(faults.split) ? splitLines(lines) : [lines]).map((part) => toReport(part));
    const fates = reports.map((report) => {
      const username = report.lines[0]?.username ?? '';
      const bytes = report.lines.reduce((sum, line) => sum + line.up_bytes + line.down_bytes, 0);
      state.recent.unshift({ id: report.report_id, username, bytes, at: clock.now().toISOString(), acknowledged: false });
      return courier.send({ id: report.report_id, kind: 'usage-report', body: JSON.stringify(report) });
    });
    state.recent.splice(RECENT);
    snapshot.changed();
    const arrived = Promise.all(fates).then((all) => {
      const lost = all.find((fate) => fate !== 'acknowledged');
      if (lost) throw new Error(`A usage report was not acknowledged: ${lost}.`);
    });
    return { ids: reports.map((report) => report.report_id), arrived };
  }
  /** For those who do not wait: the page shows what became of it. */
  const sendOne = (traffic: Traffic): string[] => {
    const { ids, arrived } = send([{ line: 0, ...traffic, at: clock.now().toISOString() }]);
    arrived.catch(() => {});
    return ids;
  };

  const app = new Hono<NodeBindings>();
  const show = (username: string, errors: string[] = []): ReturnType<typeof networkPage> =>
    networkPage({ errors, username, reports: state.recent, vendors: vendorLinks(options.vendors()) });
  app.get('/', async (c) => c.html(await show(c.req.query('username') ?? ''), 200, pageHeaders));
  app.post('/', async (c) => {
    const form = await c.req.formData();
    const read = readTrafficForm(form);
    if ('errors' in read) return c.html(await show(String(form.get('username') ?? ''), read.errors), 400, pageHeaders);
    sendOne(read.traffic);
    return c.redirect(`/?username=${encodeURIComponent(read.traffic.username)}`, 303);
  });
  app.post('/traffic', async (c) => {
    const read = readTraffic(await c.req.json().catch(() => null));
    return 'errors' in read ? c.json({ errors: read.errors }, 400) : c.json({ report_ids: sendOne(read.traffic) }, 202);
  });
  const listener = await listen(app, options.host, options.port);

  return {
    url: listener.url,
    faults,
    async report(traffic) {
      const now = clock.now();
      const lines = [traffic].flat().map(({ upBytes, downBytes, at = now, ...rest }, line) => ({
        line,
        ...rest,
        up_bytes: upBytes,
        down_bytes: downBytes,
        at: at.toISOString(),
      }));
      const { ids, arrived } = send(lines);
      await arrived;
      return ids;
    },
    deliver: courier.deliver,
    idle: courier.idle,
    attempts: courier.attempts,
    async close() {
      await listener.close();
      await courier.close();
      await snapshot.flush();
    },
  };
}

const toReport = (lines: UsageLine[]): UsageReport => ({
  source: SANDBOX_NETWORK,
  report_id: `rep_${randomUUID()}`,
  lines: lines.map((line, index) => ({ ...line, line: index })),
});

/** Two halves of the same traffic, to the byte. */
function splitLines(lines: UsageLine[]): [UsageLine[], UsageLine[]] {
  const first = lines.map((line) => ({ ...line, up_bytes: Math.floor(line.up_bytes / 2), down_bytes: Math.floor(line.down_bytes / 2) }));
  const second = lines.map((line, index) => ({
    ...line,
    up_bytes: line.up_bytes - (first[index]?.up_bytes ?? 0),
    down_bytes: line.down_bytes - (first[index]?.down_bytes ?? 0),
  }));
  return [first, second];
}
