// Receives the reports of foreign networks. A line that was counted before changes nothing, in whatever order and however often reports arrive. An invalid or
// implausible line does not affect the others. Reports that arrive while others are being written wait, and are then written together in one transaction.
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { coalesce } from '#platform/coalesce.ts';
import { NewNumbers } from '../domain/line-numbers.ts';
import type { ProductCode } from '../../../../edge/protocol/product.ts';
import { type HoldReason, Plausibility } from '../domain/usage-plausibility.ts';
import { type LineRefusal, type ReadLine, type UsageLine, readLine, refusalOf } from '../domain/usage-report.ts';
import { type CountedPlan, type LedgerLine, type UsernameOwner, enterLines, plansOfUsernames } from '../entities/usage-ledger.ts';
import { countWaiting, holdLines } from '../entities/usage-quarantine.ts';
import { lockReports, markEntered } from '../entities/usage-report.ts';
import { needWeeks } from '../entities/usage-week.ts';
import type { Context, MeteringProviders } from '../context.ts';
import { lockPlans } from '../../plans/entities/plan.ts';
import { announceStatus } from '../../plans/services/announce-status.ts';

export interface UsageReport {
  /** Which network reports. */
  source: string;
  /** The network's own id of this report. */
  reportId: string;
  lines: readonly UsageLine[];
  /** Products that this network may report for; absent: all. */
  products?: readonly ProductCode[] | null | undefined;
}

export interface UsageReceipt {
  counted: number;
  repeated: number;
  unknown: number;
  /** Held for support, since no plan can have carried them. When they are reported again they count as repeated. */
  quarantined: number;
  /** Lines that were refused; the others are not affected. */
  refused: { line: number; code: LineRefusal }[];
}

/** Spec is silent: a report has at most this many lines, so that it fits one short transaction. */
const MAX_LINES = 5_000;
const MAX_ID_LENGTH = 200;
/** The most lines of one source that may wait for support. Lines beyond this are refused and can be sent again. */
const HELD_OF_SOURCE = 10_000;

interface WaitingReport {
  ctx: Context;
  source: string;
  reportId: string;
  products: readonly ProductCode[] | undefined;
  lines: readonly ReadLine[];
  receipt: UsageReceipt;
}

/**
 * Enters a report; totals, days and status events change in the same transaction. Throws `parameter_invalid` for an invalid report; invalid lines are named in
 * the receipt.
 */
export async function receiveUsageReport(ctx: Context, { source, reportId, lines, products }: UsageReport): Promise<UsageReceipt> {
  if (source === '' || reportId === '' || source.length > MAX_ID_LENGTH || reportId.length > MAX_ID_LENGTH || lines.length > MAX_LINES) {
    throw fail('parameter_invalid', { reason: because('usage_report_unfit') });
  }
  const now = ctx.clock.now();
  const receipt: UsageReceipt = { counted: 0, repeated: 0, unknown: 0, quarantined: 0, refused: [] };
  const read: ReadLine[] = [];
  for (const line of lines) {
    const code = refusalOf(line, now, ctx.providers.retention.usage);
    if (code) receipt.refused.push({ line: line.line, code });
    else read.push(readLine(line));
  }
  if (read.length > 0) {
    await needWeeks(
      ctx.em,
      read.map(({ at }) => at),
    );
    await intakeOf(ctx)({ ctx, source, reportId, products: products ?? undefined, lines: read, receipt });
  }
  ctx.providers.usageReceived(source, receipt);
  if (receipt.quarantined > 0)
    ctx.log.error(
      { source, reportId, quarantined: receipt.quarantined },
      'a network reported what no plan can have carried: support decides',
    );
  return receipt;
}

const MAX_BATCH_LINES = 20_000;
/** Two transactions at once: while one waits for the disk, another is prepared. */
const CONCURRENCY = 2;

type Intake = (report: WaitingReport) => Promise<void>;
/** The intake of each set of providers, which a serving process has one of. */
const intakes = new WeakMap<MeteringProviders, Intake>();

function intakeOf({ providers }: Context): Intake {
  const known = intakes.get(providers);
  if (known) return known;
  const intake = coalesce({
    work: writeReports,
    sizeOf: ({ lines }: WaitingReport) => lines.length,
    maxBatchSize: MAX_BATCH_LINES,
    concurrency: CONCURRENCY,
  });
  intakes.set(providers, intake);
  return intake;
}

/** A new line, with the delivery that brought it. */
type Candidate = LedgerLine & { report: Pending; numbers: NewNumbers };
/** The receipt of a delivery so far; it is copied to the caller's receipt once the transaction is committed. */
type Pending = Pick<UsageReceipt, 'counted' | 'repeated' | 'unknown' | 'quarantined' | 'refused'>;

/** Writes reports in one transaction, with the context of the first. */
async function writeReports(reports: readonly WaitingReport[]): Promise<undefined[]> {
  const results = await inTransaction((reports[0] as WaitingReport).ctx, (tx) => write(tx, reports));
  return results.map((result, index) => {
    const { receipt } = reports[index] as WaitingReport;
    receipt.counted += result.counted;
    receipt.repeated += result.repeated;
    receipt.unknown += result.unknown;
    receipt.quarantined += result.quarantined;
    receipt.refused.push(...result.refused);
    return undefined;
  });
}

async function write(tx: Context, reports: readonly WaitingReport[]): Promise<Pending[]> {
  const now = tx.clock.now();
  const results = new Map(
    reports.map((report): [WaitingReport, Pending] => [report, { counted: 0, repeated: 0, unknown: 0, quarantined: 0, refused: [] }]),
  );
  // Deliveries of the same report in this batch are handled as one.
  const distinct = [...Map.groupBy(reports, ({ source, reportId }) => `${source}\n${reportId}`).values()];
  const keys = distinct.map(([first]) => first as WaitingReport);
  const entered = await lockReports(tx.em, keys, now);
  const plans = await plansOfUsernames(tx.em, [...new Set(reports.flatMap(({ lines }) => lines.map(({ base }) => base)))]);
  const bySource = new Map<string, Candidate[]>();
  const known = distinct.map((deliveries, index) => {
    const { source, reportId } = keys[index] as WaitingReport;
    const candidates = bySource.get(source) ?? [];
    bySource.set(source, candidates);
    const numbers = new NewNumbers(entered[index] ?? []);
    for (const delivery of deliveries) readDelivery(delivery, results.get(delivery) as Pending, plans, numbers, candidates);
    return { source, reportId, numbers };
  });
  const changing = new Set([...bySource.values()].flatMap((lines) => lines.map(({ planId }) => planId)));
  if (changing.size > 0) {
    // From here on other reports of these plans wait for the locks.
    const locked = await lockPlans(tx.em, [...changing]);
    const plausibility = new Plausibility(locked, now);
    const kept = (line: Candidate): Candidate => ({
      ...line,
      host: tx.providers.hosts.of(locked.get(line.planId)?.hostsChosen ?? null).entered(line.host),
    });
    const changed = new Map<string, CountedPlan>();
    for (const [source, candidates] of bySource) {
      const lines = await judge(tx, source, candidates.map(kept), plausibility);
      if (lines.length > 0) for (const plan of await enterLines(tx.em, source, lines, now)) changed.set(plan.id, plan);
    }
    await markEntered(
      tx.em,
      known.map(({ source, reportId, numbers }) => ({ source, reportId, spans: numbers.spans() })).filter(({ spans }) => spans.length > 0),
    );
    await announceStatus(tx, [...changed.values()]);
  }
  return reports.map((report) => results.get(report) as Pending);
}

/** Sorts a delivery's lines; new lines are added to `candidates`. */
function readDelivery(
  { reportId, lines, products }: WaitingReport,
  result: Pending,
  plans: ReadonlyMap<string, UsernameOwner>,
  numbers: NewNumbers,
  candidates: Candidate[],
): void {
  for (const line of lines) {
    const plan = plans.get(line.base);
    if (!plan) result.unknown++;
    else if (products && !products.includes(plan.product)) result.refused.push({ line: line.line, code: 'product_not_allowed' });
    else if (numbers.take(line.line)) candidates.push({ ...line, planId: plan.id, userId: plan.userId, reportId, report: result, numbers });
    else result.repeated++;
  }
}

/** Returns the lines that count, and puts implausible ones into quarantine. */
async function judge(tx: Context, source: string, candidates: readonly Candidate[], plausibility: Plausibility): Promise<LedgerLine[]> {
  const counted: LedgerLine[] = [];
  const held: (Candidate & { id: string; reason: HoldReason })[] = [];
  for (const line of candidates) {
    const reason = plausibility.judge(`${source}\n${line.reportId}`, line);
    if (reason) held.push({ ...line, id: newId('held', tx.clock), reason });
    else {
      counted.push(line);
      line.report.counted++;
    }
  }
  if (held.length > 0) {
    const room = Math.max(0, HELD_OF_SOURCE - (await countWaiting(tx.em, source, HELD_OF_SOURCE)));
    for (const { report, numbers, line } of held.slice(room)) {
      numbers.release(line);
      report.refused.push({ line, code: 'quarantine_full' });
    }
    const taken = held.slice(0, room);
    for (const { report } of taken) report.quarantined++;
    if (taken.length > 0) await holdLines(tx.em, source, taken, tx.clock.now());
  }
  return counted;
}
