// The way of every byte of foreign networks into the ledger. Lines that were counted before change nothing, in whatever order and however often reports arrive.
// Reports that come while others are being written wait and are written together: one transaction, one flush to disk for many.
import { inTransaction } from '#shared/database.ts';
import { fail } from '#shared/errors.ts';
import { together } from '#shared/together.ts';
import { NewNumbers } from '../domain/line-numbers.ts';
import { type ReadLine, type UsageLine, readLine } from '../domain/usage-report.ts';
import { lockPlans } from '../entities/lease.ts';
import { type CountedPlan, type LedgerLine, enterLines, planIdsOf } from '../entities/usage-ledger.ts';
import { lockReports, markEntered } from '../entities/usage-report.ts';
import { needWeeks } from '../entities/usage-week.ts';
import type { Context, Providers } from '../providers.ts';
import { announceStatus } from './announce-status.ts';

export interface UsageReport {
  /** Which network tells it. */
  source: string;
  /** The network's own id of this report. */
  reportId: string;
  lines: readonly UsageLine[];
}

export interface UsageReceipt {
  counted: number;
  repeated: number;
  unknown: number;
}

/** Spec is silent: a report has at most this many lines, so that it fits one short transaction. */
const MOST_LINES = 5_000;
const LONGEST_ID = 200;

interface WaitingReport {
  ctx: Context;
  source: string;
  reportId: string;
  lines: readonly ReadLine[];
}

/** Totals, days and status events change with the entries or not at all. Throws `parameter_invalid`. */
export async function receiveUsageReport(ctx: Context, { source, reportId, lines }: UsageReport): Promise<UsageReceipt> {
  if (source === '' || reportId === '' || source.length > LONGEST_ID || reportId.length > LONGEST_ID || lines.length > MOST_LINES) {
    throw fail('parameter_invalid', { reason: 'A usage report has a source, an id and at most 5,000 lines.' });
  }
  const now = ctx.clock.now();
  const read = lines.map((line) => readLine(line, now));
  await needWeeks(
    ctx.em,
    read.map(({ at }) => at),
  );
  return intakeOf(ctx)({ ctx, source, reportId, lines: read });
}

const LINES_AT_ONCE = 20_000;
/** While one transaction waits for the disk another is prepared. */
const LANES = 2;

type Intake = (report: WaitingReport) => Promise<UsageReceipt>;
/** One per process that serves. */
const intakes = new WeakMap<Providers, Intake>();

function intakeOf({ providers }: Context): Intake {
  const known = intakes.get(providers);
  if (known) return known;
  const intake = together({ work: writeReports, sizeOf: ({ lines }: WaitingReport) => lines.length, most: LINES_AT_ONCE, lanes: LANES });
  intakes.set(providers, intake);
  return intake;
}

/** Writes reports in one transaction, in the context of the first; answers in their order. */
const writeReports = (reports: readonly WaitingReport[]): Promise<UsageReceipt[]> =>
  inTransaction((reports[0] as WaitingReport).ctx, async (tx) => {
    const now = tx.clock.now();
    // Deliveries of one report that came together are one.
    const distinct = [...Map.groupBy(reports, ({ source, reportId }) => `${source}\n${reportId}`).values()];
    const keys = distinct.map(([first]) => first as WaitingReport);
    const entered = await lockReports(tx.em, keys, now);
    const plans = await planIdsOf(tx.em, [...new Set(reports.flatMap(({ lines }) => lines.map(({ base }) => base)))]);
    const receipts = new Map<WaitingReport, UsageReceipt>();
    const bySource = new Map<string, LedgerLine[]>();
    const marks = distinct.map((deliveries, index) => {
      const { source, reportId } = keys[index] as WaitingReport;
      const ledger = bySource.get(source) ?? [];
      bySource.set(source, ledger);
      const numbers = new NewNumbers(entered[index] ?? []);
      for (const delivery of deliveries) receipts.set(delivery, countDelivery(delivery, plans, numbers, ledger));
      return { source, reportId, spans: numbers.spans() };
    });
    // Everything that takes time here is done: while plans are locked, other reports of theirs wait.
    const changing = [...bySource.values()].flatMap((lines) => lines.map(({ planId }) => planId));
    if (changing.length > 0) {
      await markEntered(
        tx.em,
        marks.filter(({ spans }) => spans.length > 0),
      );
      await lockPlans(tx.em, [...new Set(changing)]);
      const changed = new Map<string, CountedPlan>();
      for (const [source, lines] of bySource)
        if (lines.length > 0) for (const plan of await enterLines(tx.em, source, lines, now)) changed.set(plan.id, plan);
      await announceStatus(tx, [...changed.values()]);
    }
    return reports.map((report) => receipts.get(report) as UsageReceipt);
  });

/** Adds the delivery's lines that are new to the ledger's. */
function countDelivery(
  { reportId, lines }: WaitingReport,
  plans: ReadonlyMap<string, string>,
  numbers: NewNumbers,
  ledger: LedgerLine[],
): UsageReceipt {
  const receipt = { counted: 0, repeated: 0, unknown: 0 };
  for (const line of lines) {
    const planId = plans.get(line.base);
    if (planId === undefined) receipt.unknown++;
    else if (numbers.take(line.line)) {
      ledger.push({ ...line, planId, reportId });
      receipt.counted++;
    } else receipt.repeated++;
  }
  return receipt;
}
