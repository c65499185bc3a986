// The network's reports of its customers' traffic: each has an id that stays the same however often it is sent.
import { randomUUID } from 'node:crypto';
import type { Clock } from '#platform/clock.ts';
import { SANDBOX_NETWORK } from '#platform/sandbox-terms.ts';
import { createSender } from '../sender.ts';
import type { Sender, DeliveryFaults, Message, Retry } from '../sender.ts';
import type { Random } from '../random.ts';
import type { SentReport } from './page.ts';
import { signReport } from './report.ts';
import type { UsageLine, UsageReport } from './report.ts';
import type { Traffic } from './traffic.ts';

export interface NetworkFaults extends DeliveryFaults {
  /** The share of reports, 0 to 1, whose traffic is sent in two reports with the same sum. */
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
  /** When the traffic happened; default: now. */
  at?: Date;
}

export interface NetworkState {
  /** The last reports, newest first, for the page. */
  recent: SentReport[];
  underWay: Record<string, Message>;
}

export interface ReportingOptions {
  clock: Clock;
  random: Random;
  faults: NetworkFaults;
  retry: Retry;
  usageSecret: string;
  reportUrl: () => string;
  state: NetworkState;
  changed: () => void;
}

const RECENT = 50;

export class Reporting {
  readonly sender: Sender;
  readonly #options: ReportingOptions;

  constructor(options: ReportingOptions) {
    const { clock, random, faults, retry, usageSecret, reportUrl, state, changed } = options;
    this.#options = options;
    this.sender = createSender({
      clock,
      random,
      faults,
      retry,
      address: reportUrl,
      underWay: state.underWay,
      changed,
      sign: (body, forged) => ({
        'egress-signature': signReport(body, forged ? 'forged' : usageSecret, Math.floor(clock.now().getTime() / 1000)),
      }),
      onAcknowledged(id) {
        const sent = state.recent.find((report) => report.id === id);
        if (sent) sent.acknowledged = true;
      },
    });
  }

  /** Resolves with the ids when the service has acknowledged all; rejects when one was dropped or given up. */
  async report(traffic: ReportedTraffic | ReportedTraffic[]): Promise<string[]> {
    const now = this.#options.clock.now();
    const lines = [traffic].flat().map(({ upBytes, downBytes, at = now, ...rest }, line) => ({
      line,
      ...rest,
      up_bytes: upBytes,
      down_bytes: downBytes,
      at: at.toISOString(),
    }));
    const { ids, arrived } = this.#send(lines);
    await arrived;
    return ids;
  }

  /** For callers that do not wait: the page shows the result. */
  sendOne(traffic: Traffic): string[] {
    const { ids, arrived } = this.#send([{ line: 0, ...traffic, at: this.#options.clock.now().toISOString() }]);
    arrived.catch(() => {});
    return ids;
  }

  /** Sends the lines as one report, or as two with ids of their own; returns the ids and a promise of their acknowledgement. */
  #send(lines: UsageLine[]): { ids: string[]; arrived: Promise<void> } {
    const { clock, random, faults, state, changed } = this.#options;
    const reports = (random.chance(faults.split) ? splitLines(lines) : [lines]).map((part) => toReport(part));
    const fates = reports.map((report) => {
      const username = report.lines[0]?.username ?? '';
      const bytes = report.lines.reduce((sum, line) => sum + line.up_bytes + line.down_bytes, 0);
      state.recent.unshift({ id: report.report_id, username, bytes, at: clock.now().toISOString(), acknowledged: false });
      return this.sender.send({ id: report.report_id, kind: 'usage-report', body: JSON.stringify(report) });
    });
    state.recent.splice(RECENT);
    changed();
    const arrived = Promise.all(fates).then((all) => {
      const lost = all.find((fate) => fate !== 'acknowledged');
      if (lost) throw new Error(`A usage report was not acknowledged: ${lost}.`);
    });
    return { ids: reports.map((report) => report.report_id), arrived };
  }
}

const toReport = (lines: UsageLine[]): UsageReport => ({
  source: SANDBOX_NETWORK,
  report_id: `rep_${randomUUID()}`,
  lines: lines.map((line, index) => ({ ...line, line: index })),
});

/** Splits the traffic into two halves with exactly the same sum. */
function splitLines(lines: UsageLine[]): [UsageLine[], UsageLine[]] {
  const first = lines.map((line) => ({ ...line, up_bytes: Math.floor(line.up_bytes / 2), down_bytes: Math.floor(line.down_bytes / 2) }));
  const second = lines.map((line, index) => ({
    ...line,
    up_bytes: line.up_bytes - (first[index]?.up_bytes ?? 0),
    down_bytes: line.down_bytes - (first[index]?.down_bytes ?? 0),
  }));
  return [first, second];
}
