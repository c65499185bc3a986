// Durable ingestion of usage reports compared with a bare COPY of the same rows, alternately on the same server; both have a unique key of source, report id
// and line.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { UsageLine } from '../../../subgraphs/residential/metering/domain/usage-report.ts';
import { receiveUsageReport } from '../../../subgraphs/residential/metering/services/receive-usage-report.ts';
import { verifyUsage } from '../../../subgraphs/residential/metering/services/verify-usage.ts';
import { median } from '../world.ts';
import { type Residential, makePlans, planAt } from './residential.ts';

/** Accounts with simultaneous use; each plan has some dozens of lines per batch of reports. */
const ACCOUNTS = 250;
const PLANS = 2;
const LINES = 2_000;
/** Concurrent reports. */
const SENDERS = 12;

interface Report {
  reportId: string;
  lines: UsageLine[];
}

/** A network's reports of some minutes: each of many plans, each plan with some hosts and addresses. */
function reportsOf(round: number, count: number, now: Date): Report[] {
  return Array.from({ length: count }, (_, index) => ({
    reportId: `round-${round}-report-${index}`,
    lines: Array.from({ length: LINES }, (__, line) => {
      const number = index * LINES + line;
      return {
        line,
        username: planAt((number * 7_919) % (ACCOUNTS * PLANS), ACCOUNTS).username,
        upBytes: BigInt(1_000 + (number % 977)),
        downBytes: BigInt(50_000 + (number % 99_991)),
        at: new Date(now.getTime() - (number % 600_000)),
        country: ['us', 'de', 'gb', 'jp'][number % 4],
        session: String(10_000_000 + (number % 5_000)),
        host: `host-${number % 40}.example`,
        client: `203.0.113.${number % 20}`,
      };
    }),
  }));
}

const csvOf = (reports: readonly Report[], received: string): string =>
  reports
    .flatMap(({ reportId, lines }) =>
      lines.map(({ line, username, at, upBytes, downBytes, country, session, host, client }) =>
        [
          'bench',
          reportId,
          line,
          `plan_${username.slice(1).padStart(26, '0')}`,
          at.toISOString(),
          received,
          upBytes,
          downBytes,
          country,
          session,
          host,
          client,
        ].join(','),
      ),
    )
    .join('\n');

const BARE = `create table bare (source text not null, report_id text not null, line integer not null, plan_id text not null, at timestamptz not null,
  received_at timestamptz not null, up_bytes bigint not null, down_bytes bigint not null, country text, session text, host text, client text,
  primary key (source, report_id, line))`;

async function send({ context }: Residential, reports: readonly Report[]): Promise<void> {
  const waiting = [...reports];
  await Promise.all(
    Array.from({ length: SENDERS }, async () => {
      for (let report = waiting.shift(); report; report = waiting.shift())
        await receiveUsageReport(context(), { source: 'bench', ...report });
    }),
  );
}

export async function measureIngestion(world: Residential, databaseUrl: string, short: boolean): Promise<void> {
  const [rounds, reports] = short ? [1, 5] : [7, 100];
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  // The database server's user must read the file.
  const directory = mkdtempSync(join(tmpdir(), 'egress-copy-'));
  chmodSync(directory, 0o755);
  try {
    await makePlans((sql, values) => client.query(sql, values), ACCOUNTS, PLANS);
    await client.query(BARE);
    const [ours, bare]: [number[], number[]] = [[], []];
    for (let round = 0; round <= rounds; round++) {
      const now = world.platform.clock.now();
      const given = reportsOf(round, reports, now);
      const file = join(directory, `${round}.csv`);
      writeFileSync(file, csvOf(given, now.toISOString()), { mode: 0o644 });
      const rows = given.length * LINES;
      const started = performance.now();
      await send(world, given);
      const between = performance.now();
      await client.query(`copy bare from '${file}' with (format csv)`);
      const ended = performance.now();
      rmSync(file);
      // The first round is a warm-up.
      if (round === 0) continue;
      ours.push((rows / (between - started)) * 1_000);
      bare.push((rows / (ended - between)) * 1_000);
    }
    const { rows } = await client.query<{ ours: string; bare: string }>(
      'select (select sum(up_bytes + down_bytes) from residential.plan) as ours, (select sum(up_bytes + down_bytes) from bare) as bare',
    );
    const { differences } = await verifyUsage(world.context());
    if (rows[0]?.ours !== rows[0]?.bare || differences.length > 0) throw new Error('the two do not have the same bytes');
    const ratio = median(ours.map((value, index) => value / (bare[index] ?? Number.NaN)));
    console.log(
      `  ingestion for ${ACCOUNTS * PLANS} plans ${median(ours).toFixed(0)} lines/s, bare COPY ${median(bare).toFixed(0)} rows/s: ratio ${ratio.toFixed(2)} (goal 0.30), sums equal to the byte`,
    );
  } finally {
    await client.end();
    rmSync(directory, { recursive: true, force: true });
  }
}
